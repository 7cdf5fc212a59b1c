// Who pays whom at the end of an evening, as a picture.
import { drawRows, give, rowsHeight, sheetOfPaper } from "./picture.js";

const TOP = 90; // px of the title

/** Share a settlement: its titles and its rows of [name, amount], as the page holds them. */
export function shareSettlement({ title, corner, parts }) {
  const blocks = JSON.parse(parts);
  const context = sheetOfPaper(TOP + blocks.reduce((sum, [, rows]) => sum + rowsHeight(rows), 0) + 80, title, corner);
  let y = TOP;
  for (const [heading, rows] of blocks) {
    drawRows(context, heading, rows, y);
    y += rowsHeight(rows);
  }
  return give(context, "paiyan.png");
}
