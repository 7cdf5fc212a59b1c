// The score as text and as a picture drawn here, for the people who were not at the table.
import { payments } from "./counted.js";
import { toast } from "./dom.js";
import { deck, state } from "./state.js";
import { lineName, paymentLines, totalText, verdictText } from "./terms.js";
import { _, cardName, rulesOf } from "./words.js";

const WIDTH = 720;
const PAD = 36;
const PAID = 38;
const CARD = { width: 40, height: 80, gap: 4 };

/** The score as lines of text. */
export function scoreText(score) {
  const rules = rulesOf(state.rules);
  const names = (codes) => codes.map((code) => cardName(deck(), code)).join(" ");
  const paid = payments(score).map(([name, change]) => `${name} ${change}`);
  const value = (line) => [line.points ? `+${line.points}` : "", line.times !== 1 ? `×${line.times}` : ""].filter(Boolean).join(" ") || "0";
  return [
    `${rules.name}: ${totalText(score)}${score.wins ? "" : ` (${verdictText(score)})`}`,
    ...paymentLines(score),
    ...score.lines.map((line) => `${lineName(line.name)} ${value(line)}  ${names(line.cards)}`.trimEnd()),
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

const quietly = (error) => {
  if (error.name !== "AbortError") toast(_("Sharing did not work here."));
};

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

function text(context, words, x, y, font, { colour = "#221b16", align = "left" } = {}) {
  Object.assign(context, { font, fillStyle: colour, textAlign: align });
  context.fillText(words, x, y, WIDTH - 2 * PAD);
}

function drawLine(context, line, y, pictures) {
  const serif = "'Songti SC', 'Noto Serif CJK SC', serif";
  text(context, lineName(line.name), PAD, y + 26, `600 24px ${serif}`);
  const value = [line.points ? `+${line.points}` : "", line.times !== 1 ? `× ${line.times}` : ""].join(" ").trim() || "0";
  text(context, value, WIDTH - PAD, y + 26, `700 26px ${serif}`, { colour: "#a1231f", align: "right" });
  const perRow = Math.floor((WIDTH - 2 * PAD) / (CARD.width + CARD.gap));
  line.cards.forEach((code, n) => {
    const x = PAD + (n % perRow) * (CARD.width + CARD.gap);
    context.drawImage(pictures.get(code.split("=")[0]), x, y + 36 + Math.floor(n / perRow) * (CARD.height + CARD.gap), CARD.width, CARD.height);
  });
}

function drawPayments(context, paid, y) {
  const serif = "'Songti SC', 'Noto Serif CJK SC', serif";
  text(context, _("Who pays whom"), PAD, y + 36, `700 26px ${serif}`);
  paid.forEach(([name, change], n) => {
    text(context, name, PAD, y + 36 + (n + 1) * PAID, `600 24px ${serif}`);
    text(context, change, WIDTH - PAD, y + 36 + (n + 1) * PAID, `700 26px ${serif}`, { colour: "#a1231f", align: "right" });
  });
}

const paymentsHeight = (paid) => (paid.length ? 56 + paid.length * PAID : 0);

const lineHeight = (line) => 46 + (line.cards.length ? rowsOf(line.cards.length) * (CARD.height + CARD.gap) + 8 : 0);

/** Draw the score as a picture; a PNG blob. */
export async function scorePicture(score) {
  const rules = rulesOf(state.rules);
  const pictures = await cardPictures(score.lines.flatMap((line) => line.cards));
  const paid = payments(score);
  const height = 210 + score.lines.reduce((sum, line) => sum + lineHeight(line), 0) + paymentsHeight(paid) + 50;
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = height;
  const context = canvas.getContext("2d");
  context.fillStyle = "#f7f0e1";
  context.fillRect(0, 0, WIDTH, height);
  context.strokeStyle = "#a82a26";
  context.lineWidth = 3;
  context.strokeRect(12, 12, WIDTH - 24, height - 24);
  context.lineWidth = 1;
  context.strokeRect(18, 18, WIDTH - 36, height - 36);
  const serif = "'Songti SC', 'Noto Serif CJK SC', serif";
  text(context, rules.name, PAD, 70, `700 32px ${serif}`);
  text(context, verdictText(score), WIDTH - PAD, 70, `600 24px ${serif}`, { colour: "#a1231f", align: "right" });
  text(context, totalText(score), WIDTH / 2, 160, `700 72px ${serif}`, { colour: "#a1231f", align: "center" });
  let y = 190;
  for (const line of score.lines) {
    drawLine(context, line, y, pictures);
    y += lineHeight(line);
  }
  if (paid.length) drawPayments(context, paid, y);
  text(context, `${_("paiyan · card eye")}  ${new Date().toLocaleDateString(document.documentElement.lang)}`, WIDTH / 2, height - 34, `18px ${serif}`, { colour: "#655748", align: "center" });
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Share the picture where the phone can, else save it. */
export async function sharePicture(score) {
  const blob = await scorePicture(score);
  const file = new File([blob], `paiyan-${state.rules}.png`, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] }).catch(quietly);
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
  return toast(_("The picture was saved."));
}
