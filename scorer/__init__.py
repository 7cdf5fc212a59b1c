"""Counting Chinese long-card games: cards, hands in notation, rule sets, scores, waits, settlement.

>>> import scorer
>>> text = "碰(黄马黄马黄马) 红将红士红象 红车红马红包 红卒黄卒绿卒 绿将 绿士绿士 白象白象 白车白车 白包白包"
>>> hand = scorer.parse_hand(text, "shihu")
>>> best = scorer.score(hand)
>>> best.total, best.fault, best.settlement
(8, True, (-33, 11, 11, 11))
"""

from scorer.cards import Deck, Face, Names, deck, deck_ids, describe_deck
from scorer.errors import ERROR_CODES, ImpossibleCount, ScorerError
from scorer.games.yaodiren_before import Qualification, qualification, qualification_json
from scorer.glossary import Glossary, glossary
from scorer.hand import Hand, Meld, parse_hand, write_hand
from scorer.pay import pay, payment_json
from scorer.piles import PileIn, hand_from_piles, laid_groups, pile_kinds
from scorer.rules import (
    Alone,
    Fact,
    Kind,
    Notice,
    Option,
    Row,
    RuleSet,
    Said,
    describe_rules,
    rule_ids,
    rule_set,
)
from scorer.score import score, score_json, score_part
from scorer.tally import Line, Note, Payment, Reason, Score
from scorer.waits import Wait, Waits, waits, waits_json

__all__ = [
    "ERROR_CODES",
    "Alone",
    "Deck",
    "Face",
    "Fact",
    "Glossary",
    "Hand",
    "ImpossibleCount",
    "Kind",
    "Line",
    "Meld",
    "Names",
    "Note",
    "Notice",
    "Option",
    "Payment",
    "PileIn",
    "Qualification",
    "Reason",
    "Row",
    "RuleSet",
    "Said",
    "Score",
    "ScorerError",
    "Wait",
    "Waits",
    "deck",
    "deck_ids",
    "describe_deck",
    "describe_rules",
    "glossary",
    "hand_from_piles",
    "laid_groups",
    "parse_hand",
    "pay",
    "payment_json",
    "pile_kinds",
    "qualification",
    "qualification_json",
    "rule_ids",
    "rule_set",
    "score",
    "score_json",
    "score_part",
    "waits",
    "waits_json",
    "write_hand",
]
