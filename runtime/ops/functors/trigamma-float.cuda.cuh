// A GPU computes trigamma of floats as that of doubles: see trigamma.cuh.
