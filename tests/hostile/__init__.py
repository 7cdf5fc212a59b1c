"""Files and requests that mean harm, made by code: parts of the tests, and together `make hostile`."""
