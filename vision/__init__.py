"""Seeing: photo bytes to the cards that lie in them, with every doubt marked."""

import os

# Read once, when cv2 is first imported; set later it is ignored (DESIGN 7).
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "50000000")
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
