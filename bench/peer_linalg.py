"""The calls of linalg.ts as torch and NumPy write them."""

from peer_tensors import host_seconds, torch_clock


def on(make, call):
    def prepare():
        values = make()
        return lambda: call(*values)

    return prepare


def factorizations(matrix, definite, right, linalg):
    """The cases of matrices, by a library's linalg."""
    cases = {}
    for n in (64, 1024):
        cases[f"solve-{n}"] = on(lambda n=n: (matrix(n), right(n)), linalg.solve)
        cases[f"inv-{n}"] = on(lambda n=n: (matrix(n),), linalg.inv)
        cases[f"cholesky-{n}"] = on(lambda n=n: (definite(n),), linalg.cholesky)
        cases[f"qr-{n}"] = on(lambda n=n: (matrix(n),), linalg.qr)
        cases[f"eigh-{n}"] = on(lambda n=n: (definite(n),), linalg.eigh)
        cases[f"svd-{n}"] = on(lambda n=n: (matrix(n),), linalg.svd)
    return cases


def torch_cases(device):
    import torch
    import torch.nn.functional as F

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.manual_seed(1)
    random = lambda *shape: torch.randn(shape, device=device)
    matrix = lambda n: random(n, n)

    def definite(n):
        a = matrix(n)
        return a @ a.mT / n + torch.eye(n, device=device)

    images = lambda: random(32, 64, 112, 112)
    cases = {
        **factorizations(matrix, definite, lambda n: random(n, 1), torch.linalg),
        "solve-10000x16": on(lambda: (random(10000, 16, 16), random(10000, 16, 1)), torch.linalg.solve),
        "rfft-2^20": on(lambda: (random(2**20),), torch.fft.rfft),
        "fft2-512x512": on(lambda: (torch.complex(random(512, 512), random(512, 512)),), torch.fft.fft2),
        "conv2d-4x32x56": on(lambda: (random(4, 32, 56, 56), random(32, 32, 3, 3)), lambda x, w: F.conv2d(x, w, padding=1)),
        "rfft-2^24": on(lambda: (random(2**24),), torch.fft.rfft),
        "fft2-64x512x512": on(lambda: (torch.complex(random(64, 512, 512), random(64, 512, 512)),), torch.fft.fft2),
        "conv2d-32x64x112": on(lambda: (images(), random(64, 64, 3, 3)), lambda x, w: F.conv2d(x, w, padding=1)),
        "conv2d-1024-by-5": on(lambda: (random(1, 1024, 1024), random(1, 1, 5, 5)), F.conv2d),
        "maxpool-32x64x112": on(lambda: (images(),), lambda x: F.max_pool2d(x, 2)),
    }
    return cases, torch_clock(device)


def numpy_cases(_device):
    import numpy as np

    try:
        from scipy import fft
    except ImportError:
        fft = np.fft
    generator = np.random.default_rng(1)
    random = lambda *shape: generator.standard_normal(shape, dtype=np.float32)
    matrix = lambda n: random(n, n)

    def definite(n):
        a = matrix(n)
        return a @ a.T / n + np.eye(n, dtype=np.float32)

    cases = {
        **factorizations(matrix, definite, lambda n: random(n, 1), np.linalg),
        "solve-10000x16": on(lambda: (random(10000, 16, 16), random(10000, 16, 1)), np.linalg.solve),
        "rfft-2^20": on(lambda: (random(2**20),), fft.rfft),
        "fft2-512x512": on(lambda: (random(512, 512) + 1j * random(512, 512),), fft.fft2),
    }
    return cases, host_seconds
