"""Cards on paper: decks to cut out, and sheets whose photographs can be measured, since the sheet names its truth.

Everything is drawn in millimetres of the page, x to the right and y down from its upper left corner, as filled
contours (`webui.printing.shapes`): one drawing for the PDF and for the picture.
"""
