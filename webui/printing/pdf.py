"""Printed pages as a PDF file, true to size."""

from __future__ import annotations

import io
from collections.abc import Sequence

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from webui.printing.shapes import Page, Shape

FILL_EVEN_ODD = 0  # reportlab's name for it is not in its types
CAP_HEIGHT = 0.72  # of Helvetica, in its size


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """The pages as one file, the same bytes for the same pages."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("paiyan")
    for page in pages:
        _draw(canvas, page)
    canvas.save()
    return out.getvalue()


def _draw(canvas: Canvas, page: Page) -> None:
    canvas.setPageSize((page.width * mm, page.height * mm))
    canvas.saveState()
    canvas.translate(0, page.height * mm)
    canvas.scale(mm, -mm)  # millimetres from the upper left corner
    for shape in page.shapes:
        _fill(canvas, shape)
    canvas.restoreState()
    canvas.setFillColorRGB(0.25, 0.25, 0.25)
    for label in page.labels:
        canvas.setFont("Helvetica", label.size * mm / CAP_HEIGHT)
        canvas.drawString(label.x * mm, (page.height - label.y) * mm, label.text)
    canvas.showPage()


def _fill(canvas: Canvas, shape: Shape) -> None:
    path = canvas.beginPath()
    for contour in shape.contours:
        (x, y), *rest = contour.tolist()
        path.moveTo(x, y)
        for x, y in rest:
            path.lineTo(x, y)
        path.close()
    canvas.setFillColorRGB(*(level / 255 for level in shape.colour))
    canvas.drawPath(path, stroke=0, fill=1, fillMode=FILL_EVEN_ODD)
