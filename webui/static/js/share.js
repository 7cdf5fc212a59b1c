// The score as text and as a picture drawn here, for the people who were not at the table.
import { payments } from "./counted.js";
import { toast } from "./dom.js";
import { drawRows, give, PAD, quietly, rowsHeight, SEAL, sheetOfPaper, text, WIDTH } from "./picture.js";
import { valueText } from "./score.js";
import { deck, state } from "./state.js";
import { lineName, paymentLines, totalText, verdictText } from "./terms.js";
import { _, cardName, rulesOf } from "./words.js";

const STEP = 34; // height of one step of the payment
const CARD = { width: 40, height: 80, gap: 4 };

/** The score as lines of text. */
export function scoreText(score) {
  const rules = rulesOf(state.rules);
  const names = (codes) => codes.map((code) => cardName(deck(), code)).join(" ");
  const paid = payments(score).map(([name, change]) => `${name} ${change}`);
  return [
    `${rules.name}: ${totalText(score)}${score.wins ? "" : ` (${verdictText(score)})`}`,
    ...paymentLines(score),
    ...score.lines.map((line) => `${lineName(line.name)} ${valueText(line)}  ${names(line.cards)}`.trimEnd()),
    ...(paid.length ? [`${_("Who pays whom")}: ${paid.join(_(", "))}`] : []),
  ].join("\n");
}

async function shareOrCopy(text) {
  if (navigator.share) return navigator.share({ text });
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else copyByHand(text);
  return toast(_("Copied; paste it where you like."));
}

/** Plain http has no clipboard for scripts, but a selected field can still be copied. */
function copyByHand(text) {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

export const shareText = (score) => shareOrCopy(scoreText(score)).catch(quietly);

async function cardPictures(codes) {
  const pictures = new Map();
  await Promise.all(
    [...new Set(codes.map((code) => code.split("=")[0]))].map(async (code) => {
      const image = new Image();
      image.src = `/faces/${deck()}/${code}.svg`;
      await image.decode();
      pictures.set(code, image);
    }),
  );
  return pictures;
}

const rowsOf = (count) => Math.max(1, Math.ceil(count / Math.floor((WIDTH - 2 * PAD) / (CARD.width + CARD.gap))));

function drawLine(context, line, y, pictures) {
  text(context, lineName(line.name), PAD, y + 26, "600 24px");
  text(context, valueText(line), WIDTH - PAD, y + 26, "700 26px", { colour: SEAL, align: "right" });
  const perRow = Math.floor((WIDTH - 2 * PAD) / (CARD.width + CARD.gap));
  line.cards.forEach((code, n) => {
    const x = PAD + (n % perRow) * (CARD.width + CARD.gap);
    context.drawImage(pictures.get(code.split("=")[0]), x, y + 36 + Math.floor(n / perRow) * (CARD.height + CARD.gap), CARD.width, CARD.height);
  });
}

const lineHeight = (line) => 46 + (line.cards.length ? rowsOf(line.cards.length) * (CARD.height + CARD.gap) + 8 : 0);

/** Share the score as a picture. */
export async function sharePicture(score) {
  const pictures = await cardPictures(score.lines.flatMap((line) => line.cards));
  const paid = payments(score);
  const steps = paymentLines(score);
  const height = 210 + steps.length * STEP + score.lines.reduce((sum, line) => sum + lineHeight(line), 0) + rowsHeight(paid) + 50;
  const context = sheetOfPaper(height, rulesOf(state.rules).name, verdictText(score));
  text(context, totalText(score), WIDTH / 2, 160, "700 72px", { colour: SEAL, align: "center" });
  let y = 190;
  for (const line of score.lines) {
    drawLine(context, line, y, pictures);
    y += lineHeight(line);
  }
  steps.forEach((step, n) => text(context, step, PAD, y + 26 + n * STEP, "400 22px"));
  y += steps.length * STEP;
  drawRows(context, _("Who pays whom"), paid, y);
  return give(context, `paiyan-${state.rules}.png`);
}
