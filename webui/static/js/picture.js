// A picture to share, drawn here: a framed sheet of paper with a title, rows of names and numbers, and its day.
import { toast } from "./dom.js";
import { _ } from "./words.js";

export const WIDTH = 720;
export const PAD = 36;
export const SEAL = "#a1231f";
const ROW = 38;
const serif = "'Songti SC', 'Noto Serif CJK SC', serif";

/** Text in a weight and size ("700 26px"), never wider than the sheet. */
export function text(context, words, x, y, size, { colour = "#221b16", align = "left" } = {}) {
  Object.assign(context, { font: `${size} ${serif}`, fillStyle: colour, textAlign: align });
  context.fillText(words, x, y, WIDTH - 2 * PAD);
}

export const rowsHeight = (rows) => (rows.length ? 56 + rows.length * ROW : 0);

/** A heading and rows of [name, amount] under it. */
export function drawRows(context, heading, rows, y) {
  if (!rows.length) return;
  text(context, heading, PAD, y + 36, "700 26px");
  rows.forEach(([name, amount], n) => {
    text(context, name, PAD, y + 36 + (n + 1) * ROW, "600 24px");
    text(context, amount, WIDTH - PAD, y + 36 + (n + 1) * ROW, "700 26px", { colour: SEAL, align: "right" });
  });
}

/** A framed sheet of this height with its title and a word in the corner: the context to draw on. */
export function sheetOfPaper(height, title, corner) {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height });
  const context = canvas.getContext("2d");
  context.fillStyle = "#f7f0e1";
  context.fillRect(0, 0, WIDTH, height);
  context.strokeStyle = "#a82a26";
  context.lineWidth = 3;
  context.strokeRect(12, 12, WIDTH - 24, height - 24);
  context.lineWidth = 1;
  context.strokeRect(18, 18, WIDTH - 36, height - 36);
  text(context, title, PAD, 70, "700 32px");
  text(context, corner, WIDTH - PAD, 70, "600 24px", { colour: SEAL, align: "right" });
  const day = new Date().toLocaleDateString(document.documentElement.lang);
  text(context, `${_("paiyan · card eye")}  ${day}`, WIDTH / 2, height - 34, "400 18px", { colour: "#655748", align: "center" });
  return context;
}

/** What sharing says when it fails; who thinks better of it hears nothing. */
export const quietly = (error) => {
  if (error.name !== "AbortError") toast(_("Sharing did not work here."));
};

/** Share the drawing where the phone can, else save it. */
export async function give({ canvas }, name) {
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const file = new File([blob], name, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] }).catch(quietly);
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
  return toast(_("The picture was saved."));
}
