"""The functions that scripts/fit.py approximates: name -> (comment, function of t, interval, slack)."""
from mpmath import (
    airyai, airybi, asin, atan, atan2, atanh, besseli, besselj, besselk, bessely, digamma, erf, erfc, erfinv, euler, exp, findroot, log, loggamma, mp, mpf, pi,
    polygamma, sin, sqrt, tan, tanh,
)

mp.dps = 50
ROOT = findroot(digamma, 1.4616)


def lgamma(x):
    return loggamma(x).real


def stirling(z):
    """x (lgamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2)) at x = 1 / sqrt(z)."""
    if z < mpf(10) ** -12:
        return mpf(1) / 12 - z / 360 + z * z / 1260
    x = 1 / sqrt(z)
    with mp.extradps(20):
        return x * (lgamma(x) - ((x - 0.5) * log(x) - x + log(2 * pi) / 2))


def digamma_tail(z):
    if z < mpf(10) ** -12:
        return mpf(1) / 12 - z / 120 + z * z / 252
    x = 1 / sqrt(z)
    with mp.extradps(20):
        return (log(x) - 1 / (2 * x) - digamma(x)) / z


def trigamma_tail(z):
    if z < mpf(10) ** -12:
        return mpf(1) / 6 - z / 30 + z * z / 42
    x = 1 / sqrt(z)
    with mp.extradps(20):
        return (polygamma(1, x) - 1 / x - z / 2) * x * x * x


def limit(f, at, value):
    """f with its value where it cannot be computed."""
    return lambda t: value() if t == at else f(t)


def even(f):
    """A function of t = x^2 from one of x; a tiny x stands for 0."""
    return lambda t: f(sqrt(t) if t > mpf(10) ** -30 else mpf(10) ** -15)


def log_series(z):
    s = sqrt(z) if z > mpf(10) ** -24 else mpf(10) ** -12
    with mp.extradps(30):
        return (log((1 + s) / (1 - s)) - 2 * s) / s**3


def lgamma_near(t):
    """(lgamma(x) / ((x - 1) (x - 2)) + euler - 1) / (x - 2) at x = t + 2."""
    if t == -1:
        return 1 - 2 * mp.euler
    with mp.extradps(40):
        return (lgamma(t + 2) / (t * (t + 1)) - (1 - mp.euler)) / t


def sine_log(x):
    """(log(sin(pi x) / (pi x)) + pi^2 x^2 / 6) / x^4."""
    with mp.extradps(40):
        return (log(mp.sinpi(x) / (pi * x)) + pi * pi * x * x / 6) / x**4


def bessel_tail(n):
    """sqrt(x) exp(-x) I_n(x) at x = 1 / t."""

    def f(t):
        if t < mpf(10) ** -15:
            return 1 / sqrt(2 * pi) * (1 - (4 * n * n - 1) * t / 8)
        x = 1 / t
        return sqrt(x) * exp(-x) * besseli(n, x)

    return f


def off_zero(f, step=mpf(10) ** -20):
    """f, evaluated beside a removable singularity at 0."""
    return lambda t: f(t if abs(t) > step else step)


def erfcx(x):
    with mp.extradps(20):
        return exp(x * x) * erfc(x)


def erfcx_far(t):
    """x erfcx(x) at x = 1 / sqrt(t)."""
    if t < mpf(10) ** -9:
        return (1 - t / 2 + 3 * t * t / 4 - 15 * t**3 / 8 + 105 * t**4 / 16) / sqrt(pi)
    return erfcx(1 / sqrt(t)) / sqrt(t)


def erfc_inverse(w):
    """The y with erfc(y) = exp(-w^2), over w."""
    target = -w * w
    y = w - log(w * sqrt(pi) + 1) / (2 * w)
    for _ in range(60):
        e = erfcx(y)
        step = (log(e) - y * y - target) / (2 / (sqrt(pi) * e))
        y += step
        if abs(step) < mpf(10) ** -45:
            break
    return y / w


def k_scaled(n):
    return lambda x: sqrt(x) * exp(x) * besselk(n, x)


def k_tail(n):
    def f(t):
        if t < mpf(10) ** -12:
            return sqrt(pi / 2) * (1 + (4 * n * n - 1) * t / 8 + (4 * n * n - 1) * (4 * n * n - 9) * t * t / 128)
        return k_scaled(n)(1 / t)

    return f


J0_ZEROS = [mp.besseljzero(0, k) for k in (1, 2)]
J1_ZEROS = [mp.besseljzero(1, k) for k in (1, 2)]
Y0_ZEROS = [mp.besselyzero(0, k) for k in (1, 2)]
Y1_ZEROS = [mp.besselyzero(1, k) for k in (1, 2)]
AI_ZERO = mp.airyaizero(1)


def modulus(n):
    """sqrt(x (J_n^2 + Y_n^2)) at x = 1 / sqrt(t)."""

    def f(t):
        if t < mpf(10) ** -12:
            return sqrt(2 / pi) * sqrt(1 + (4 * n * n - 1) * t / 8)
        x = 1 / sqrt(t)
        return sqrt(x * (besselj(n, x) ** 2 + bessely(n, x) ** 2))

    return f


def modulus_rest(n):
    """What the modulus has beside its limit, over t."""
    m = 4 * n * n - 1
    return lambda t: (modulus(n)(t) - sqrt(2 / pi)) / t if t > mpf(10) ** -12 else sqrt(2 / pi) * m / 16


def phase(n):
    """x^3 (arg(J_n + i Y_n) - (x - (2 n + 1) pi / 4) - (4 n^2 - 1) / (8 x)) at x = 1 / sqrt(t)."""
    m = 4 * n * n

    def f(t):
        if t < mpf(10) ** -8:
            return mpf((m - 1) * (m - 25)) / 384 + mpf((m - 1) * (m * m - 114 * m + 1073)) / 5120 * t
        x = 1 / sqrt(t)
        with mp.extradps(20):
            angle = atan2(bessely(n, x), besselj(n, x)) - (x - (2 * n + 1) * pi / 4)
            angle -= 2 * pi * mp.nint(angle / (2 * pi))
            return x**3 * (angle - mpf(m - 1) / (8 * x))

    return f


def airy_modulus(t):
    """sqrt(sqrt(x) (Ai(-x)^2 + Bi(-x)^2)) at zeta = 2/3 x^(3/2) = 1 / sqrt(t)."""
    if t < mpf(10) ** -12:
        return 1 / sqrt(pi)
    x = (mpf(3) / 2 / sqrt(t)) ** (mpf(2) / 3)
    return sqrt(sqrt(x) * (airyai(-x) ** 2 + airybi(-x) ** 2))


def airy_phase(t):
    """zeta (arg(Ai(-x) - i Bi(-x)) - (zeta - pi / 4))."""
    if t < mpf(10) ** -12:
        return -mpf(5) / 72
    zeta = 1 / sqrt(t)
    x = (mpf(3) / 2 * zeta) ** (mpf(2) / 3)
    with mp.extradps(20):
        angle = atan2(-airybi(-x), airyai(-x)) - (zeta - pi / 4)
        return zeta * (angle - 2 * pi * mp.nint(angle / (2 * pi)))


def airy_scaled(t):
    """Ai(x) x^(1/4) exp(zeta) at zeta = 1 / t."""
    if t < mpf(10) ** -12:
        return 1 / (2 * sqrt(pi))
    x = (mpf(3) / 2 / t) ** (mpf(2) / 3)
    return airyai(x) * sqrt(sqrt(x)) * exp(1 / t)


def log1p_rest(x):
    with mp.extradps(50):
        return (x - mp.log1p(x)) / x**2


def temme_series(orders, terms):
    """The coefficients of the powers of eta in c_0, c_1, ... of Temme's uniform expansion (DLMF 8.12.10)."""
    # mu = x / a - 1 with eta^2 / 2 = mu - log(1 + mu), so that mu' mu = eta (1 + mu).
    count = terms + 2 * orders
    mu = [mpf(0), mpf(1)]
    for n in range(2, count + 2):
        mu.append((mu[n - 1] - sum(j * mu[j] * mu[n - j + 1] for j in range(2, n))) / (n + 1))
    # 1 / mu - 1 / eta.
    inverse = [mpf(1)]
    for n in range(1, count + 1):
        inverse.append(-sum(mu[j + 1] * inverse[n - j] for j in range(1, n + 1)))
    rows = [inverse[1:]]
    while len(rows) < orders:
        last = rows[-1]
        rows.append([(n + 2) * last[n + 2] - last[1] * rows[0][n] for n in range(len(last) - 2)])
    return rows


TEMME = temme_series(5, 160)


def temme(k):
    return lambda eta: mp.polyval(TEMME[k][::-1], eta)


def erfcx_whole(t, middle=3):
    """(1 + 2 x) erfcx(x) at x = middle (1 + t) / (1 - t)."""
    if 1 - t < mpf(10) ** -12:
        return 2 / sqrt(pi)
    x = middle * (1 + t) / (1 - t)
    return (1 + 2 * x) * erfcx(x)


def erfinv_of(w_of):
    """erfinv(x) / x, where w_of gives w = -log(1 - x^2)."""

    def f(t):
        w = w_of(t)
        if w < mpf(10) ** -20:
            return sqrt(pi) / 2
        with mp.extradps(60):
            # erfc(y) = 1 - x, which is small for large w.
            x = sqrt(-mp.expm1(-w))
            q = exp(-w) / (1 + x)
            y = erfinv(x) if w < 20 else findroot(lambda y: log(erfc(y)) - log(q), sqrt(w - log(w * pi) / 2))
            return y / x

    return f


def erfinv_curve(start, low, high, slack):
    """(erfinv(x) / x - value - slope t) / t^2 in t = w - start for w from low to high: what a line leaves."""
    ratio = erfinv_of(lambda w: w)
    value, slope = ratio(mpf(start)), mp.diff(ratio, start)
    text = f"(erfinv(x) / x - {mp.nstr(value, 33)} - {mp.nstr(slope, 33)} t) / t^2 in t = w - {start}, w = -log(1 - x^2) from {low} to {high}"
    return text, off_zero(lambda t: (ratio(start + t) - value - slope * t) / t**2, mpf(10) ** -9), mpf(low) - start, mpf(high) - start, slack


FITS = {
    "log_tail": ("(log((1 + s) / (1 - s)) - 2 s) / s^3 in t = s^2, s up to 0.1716", log_series, 0, "0.0295"),
    "sinpi_tail": ("(pi x - sin(pi x)) / x^3 in t = x^2, x up to 0.5", even(lambda x: (pi * x - sin(pi * x)) / x**3), 0, "0.25"),
    "cotpi_tail": ("(1 / x - pi cot(pi x)) / x in t = x^2, x up to 0.25", even(lambda x: (1 / x - pi / tan(pi * x)) / x), 0, "0.0625"),
    "tanpi_tail": ("(pi tan(pi x) - pi^2 x) / x^3 in t = x^2, x up to 0.25", even(lambda x: (pi * tan(pi * x) - pi * pi * x) / x**3), 0, "0.0625"),
    "digamma_near": ("psi(x) / (x - x0) in t = x - 1.5, x from 1 to 2", lambda t: digamma(t + 1.5) / (t + 1.5 - ROOT), "-0.5", "0.5"),
    "digamma_tail": ("x^2 (log x - 1 / (2 x) - psi(x)) in t = 1 / x^2, x from 2 up", digamma_tail, 0, "0.25"),
    "lgamma_near_one": ("lgamma(1 + t) / t, t from -0.5 to 0.5", off_zero(lambda t: lgamma(1 + t) / t), "-0.5", "0.5"),
    "lgamma_near_two": ("lgamma(x) / (x - 2) in t = x - 2.25, x from 1.5 to 3", lambda t: off_zero(lambda u: lgamma(2 + u) / u)(t + 0.25), "-0.75", "0.75"),
    "lgamma_near_tail": ("(lgamma(x) / ((x - 1) (x - 2)) + euler - 1) / (x - 2) in t = x - 2, x from 1 to 3", off_zero(lgamma_near), -1, 1, 4),
    "lgamma_log_tail": ("(log(1 + x) - x + x^2 / 2) / x^3 in t = x, x up to 1/3", off_zero(lambda x: (mp.log1p(x) - x + x * x / 2) / x**3), -mpf(1) / 3, mpf(1) / 3, 4),
    "sine_log_tail": ("(log(sin(pi x) / (pi x)) + pi^2 x^2 / 6) / x^4 in t = x^2, x up to 1/2", even(sine_log), 0, "0.25", 3),
    "stirling_tail": ("x (lgamma(x) - Stirling's formula) in t = 1 / x^2, x from 3 up", stirling, 0, mpf(1) / 9),
    "lgamma_over": ("lgamma(x) / ((x - 1) (x - 2)) in t = x - 2, x from 1 to 2.5", off_zero(lambda t: lgamma(t + 2) / (t * (t + 1)) if t != -1 else mp.euler), -1, "0.5"),
    "stirling_rest": ("x (lgamma(x) - Stirling's formula) in t = 1 / x^2, x from 2.5 up", stirling, 0, "0.16"),
    "sinpi_over": ("sin(pi x) / x in t = x^2, x up to 0.5", even(lambda x: mp.sinpi(x) / x), 0, "0.25"),
    "trigamma_near": ("trigamma(x) in t = x - 1.5, x from 1 to 2", lambda t: polygamma(1, t + 1.5), "-0.5", "0.5"),
    "trigamma_tail": ("x^3 (trigamma(x) - 1 / x - 1 / (2 x^2)) in t = 1 / x^2, x from 2 up", trigamma_tail, 0, "0.25"),
    "trigamma_middle": ("trigamma(x) in t = x - 1.5, x from 1 to 2", lambda t: polygamma(1, t + 1.5), "-0.5", "0.5"),
    "trigamma_rest": ("x^3 (trigamma(x) - 1 / x - 1 / (2 x^2)) in t = 1 / x^2, x from 2 up", trigamma_tail, 0, "0.25"),
    "cosecant_square": ("(pi x / sin(pi x))^2 in t = x^2, x up to 0.5", even(lambda x: (pi * x / mp.sinpi(x)) ** 2), 0, "0.25"),
    "i0_series": ("I0(x) in t = x^2 / 4, x up to 5", lambda t: besseli(0, 2 * sqrt(t)), 0, "6.25"),
    "i0_tail": ("sqrt(x) exp(-x) I0(x) in t = 1 / x - 0.1, x from 5 up", lambda t: bessel_tail(0)(t + mpf("0.1")), "-0.1", "0.1"),
    "i1_series": ("2 I1(x) / x in t = x^2 / 4, x up to 5", lambda t: besseli(1, 2 * sqrt(t)) / sqrt(t) if t > 0 else mpf(1), 0, "6.25"),
    "i1_tail": ("sqrt(x) exp(-x) I1(x) in t = 1 / x - 0.1, x from 5 up", lambda t: bessel_tail(1)(t + mpf("0.1")), "-0.1", "0.1"),
    "tanhshrink_tail": ("(x - tanh(x)) / x^3 in t = x^2, x up to 1.25", even(lambda x: (x - tanh(x)) / x**3), 0, "1.5625"),
    "erf_near": ("erf(x) / x - 1 in t = x^2 - 1/2, x up to 1", lambda t: even(lambda x: erf(x) / x - 1)(t + mpf(1) / 2), "-0.5", "0.5", 1),
    "erfcx_near": ("erfcx(x) in t = x - 1, x from 0 to 2", lambda t: erfcx(t + 1), -1, 1),
    "erfcx_middle": ("x erfcx(x) in t = 1 / x - 1 / 3, x from 2 to 6", lambda t: erfcx(1 / (t + mpf(1) / 3)) / (t + mpf(1) / 3), -mpf(1) / 6, mpf(1) / 6),
    "erfcx_far": ("x erfcx(x) in t = 1 / x^2, x from 6 up", erfcx_far, 0, mpf(1) / 36),
    "erfinv_near": ("erfinv(x) / x in t = x^2, x up to 0.5", even(lambda x: erfinv(x) / x), 0, "0.25"),
    "erfcinv_near": ("erfcinv(exp(-w^2)) / w in t = w - 1.5, w from 0.83 to 2.17", lambda t: erfc_inverse(t + 1.5), "-0.67", "0.67"),
    "erfcinv_middle": ("erfcinv(exp(-w^2)) / w in t = 1 / w - 0.3, w from 2.17 to 7", lambda t: erfc_inverse(1 / (t + mpf("0.3"))), "-0.158", "0.162"),
    "erfcinv_far": ("erfcinv(exp(-w^2)) / w in t = 1 / w - 0.09, w from 7 to 28", lambda t: erfc_inverse(1 / (t + mpf("0.09"))), "-0.0545", "0.0533"),
    "k0_series": ("K0(x) + log(x / 2) I0(x) in t = x^2, x up to 1", even(lambda x: besselk(0, x) + log(x / 2) * besseli(0, x)), 0, 1),
    "k0_middle": ("sqrt(x) exp(x) K0(x) in t = 1 / x - 0.65, x from 1 to 3.3", lambda t: k_tail(0)(t + mpf("0.65")), "-0.35", "0.35"),
    "k0_tail": ("sqrt(x) exp(x) K0(x) in t = 1 / x - 0.15, x from 3.3 up", lambda t: k_tail(0)(t + mpf("0.15")), "-0.15", "0.15"),
    "k1_series": ("(K1(x) - 1 / x - log(x / 2) I1(x)) / x in t = x^2, x up to 1", even(lambda x: (besselk(1, x) - 1 / x - log(x / 2) * besseli(1, x)) / x), 0, 1),
    "k1_middle": ("sqrt(x) exp(x) K1(x) in t = 1 / x - 0.65, x from 1 to 3.3", lambda t: k_tail(1)(t + mpf("0.65")), "-0.35", "0.35"),
    "k1_tail": ("sqrt(x) exp(x) K1(x) in t = 1 / x - 0.15, x from 3.3 up", lambda t: k_tail(1)(t + mpf("0.15")), "-0.15", "0.15"),
    "j0_near": ("J0(x) / ((x^2 - r1^2) (x^2 - r2^2)) in t = x^2 - 12.5, x up to 5", lambda t: besselj(0, sqrt(t + 12.5)) / ((t + 12.5 - J0_ZEROS[0] ** 2) * (t + 12.5 - J0_ZEROS[1] ** 2)), "-12.5", "12.5"),
    "j1_near": ("J1(x) / (x (x^2 - r1^2) (x^2 - r2^2)) in t = x^2 - 12.5, x up to 5", lambda t: (besselj(1, sqrt(t + 12.5)) / sqrt(t + 12.5) if t > -12.5 else mpf(0.5)) / ((t + 12.5 - J1_ZEROS[0] ** 2) * (t + 12.5 - J1_ZEROS[1] ** 2)), "-12.5", "12.5"),
    "y0_near": ("(Y0(x) - 2 / pi log(x / r) J0(x)) / (x^2 - r^2) in t = x^2, x up to 2.5", even(lambda x: (bessely(0, x) - 2 / pi * log(x / Y0_ZEROS[0]) * besselj(0, x)) / (x * x - Y0_ZEROS[0] ** 2)), 0, "6.25"),
    "y0_middle": ("Y0(x) / (x - r) in t = x - 3.75, x from 2.5 to 5", lambda t: bessely(0, t + 3.75) / (t + 3.75 - Y0_ZEROS[1]), "-1.25", "1.25"),
    "y1_near": ("x (Y1(x) - 2 / pi log(x / r) J1(x)) / (x^2 - r^2) in t = x^2, x up to 2.8", even(lambda x: x * (bessely(1, x) - 2 / pi * log(x / Y1_ZEROS[0]) * besselj(1, x)) / (x * x - Y1_ZEROS[0] ** 2)), 0, "7.84"),
    "y1_middle": ("Y1(x) / (x - r) in t = x - 3.9, x from 2.8 to 5", lambda t: bessely(1, t + 3.9) / (t + 3.9 - Y1_ZEROS[1]), "-1.1", "1.1"),
    "modulus_0": ("sqrt(x (J0(x)^2 + Y0(x)^2)) in t = 1 / x^2, x from 5 up", modulus(0), 0, "0.04"),
    "modulus_1": ("sqrt(x (J1(x)^2 + Y1(x)^2)) in t = 1 / x^2, x from 5 up", modulus(1), 0, "0.04"),
    "phase_0": ("x^3 (arg(J0 + i Y0) - (x - pi / 4) + 1 / (8 x)) in t = 1 / x^2 - 0.02, x from 5 up", lambda t: phase(0)(t + mpf("0.02")), "-0.02", "0.02", 8),
    "phase_1": ("x^3 (arg(J1 + i Y1) - (x - 3 pi / 4) - 3 / (8 x)) in t = 1 / x^2 - 0.02, x from 5 up", lambda t: phase(1)(t + mpf("0.02")), "-0.02", "0.02", 8),
    "modulus_rest_0": ("(sqrt(x (J0(x)^2 + Y0(x)^2)) - sqrt(2 / pi)) / t in t = 1 / x^2, x from 32 up", modulus_rest(0), 0, mpf(2) ** -10, 14),
    "modulus_rest_1": ("(sqrt(x (J1(x)^2 + Y1(x)^2)) - sqrt(2 / pi)) / t in t = 1 / x^2, x from 32 up", modulus_rest(1), 0, mpf(2) ** -10, 14),
    "airy_near": ("Ai(x) in t = x, x from -1 to 1", airyai, -1, 1),
    "airy_zero": ("Ai(x) / (x - r) in t = x + 2.2, x from -3.4 to -1", lambda t: airyai(t - mpf("2.2")) / (t - mpf("2.2") - AI_ZERO), "-1.2", "1.2"),
    "airy_middle": ("Ai(x) x^(1/4) exp(z) in t = 1 / z - 0.9, z = 2/3 x^(3/2), x from 1 to 3", lambda t: airy_scaled(t + mpf("0.9")), "-0.62", "0.6001"),
    "airy_far": ("Ai(x) x^(1/4) exp(z) in t = 1 / z - 0.145, z = 2/3 x^(3/2), x from 3 up", lambda t: airy_scaled(t + mpf("0.145")), "-0.145", "0.145"),
    "airy_modulus": ("sqrt(sqrt(x) (Ai(-x)^2 + Bi(-x)^2)) in t = 1 / z^2, z = 2/3 x^(3/2), x from 3.4 up", airy_modulus, 0, "0.0573"),
    "airy_phase": ("z (arg(Ai(-x) - i Bi(-x)) - (z - pi / 4)) in t = 1 / z^2 - 0.028, z = 2/3 x^(3/2), x from 3.4 up", lambda t: airy_phase(t + mpf("0.028")), "-0.028", "0.0293", 4),
    "sine_tail": ("(sin(x) - x) / x^3 in t = x^2, x up to pi/4", even(lambda x: (sin(x) - x) / x**3), 0, "0.617", 5),
    "cosine_tail": ("(cos(x) - 1 + x^2 / 2) / x^4 in t = x^2, x up to pi/4", even(lambda x: (mp.cos(x) - 1 + x * x / 2) / x**4), 0, "0.617", 5),
    "sine_gap": ("(x - sin(x)) / x^3 in t = x^2, x up to pi/4", even(lambda x: (x - sin(x)) / x**3), 0, "0.617", 3),
    "tangent_rest": ("(tan(x) - x - x^3 / 3) / x^5 in t = x^2, x up to pi/4", even(lambda x: (tan(x) - x - x**3 / 3) / x**5), 0, "0.617", 3),
    "tangent_tail": ("(tan(x) - x - x^3 / 3) / x^5 in t = x^2, x up to pi/4", even(lambda x: (tan(x) - x - x**3 / 3) / x**5), 0, "0.617"),
    "cosine_short": ("(cos(x) - 1 + x^2 / 2) / x^4 in t = x^2, x up to pi/4", even(lambda x: (mp.cos(x) - 1 + x * x / 2) / x**4), 0, "0.617", 7),
    "exp_tail": ("(exp(x) - 1 - x) / x^2 in t = x, x up to log(2) / 2", off_zero(lambda x: (mp.expm1(x) - x) / x**2), "-0.3472", "0.3472", 4),
    "exp_rest": ("(exp(x) - 1 - x - x^2 / 2) / x^3 in t = x, x up to log(2) / 2", off_zero(lambda x: (mp.expm1(x) - x - x * x / 2) / x**3), "-0.3472", "0.3472", 7),
    "exp_short": ("(exp(x) - 1 - x) / x^2 in t = x, x up to log(2) / 2", off_zero(lambda x: (mp.expm1(x) - x) / x**2), "-0.3472", "0.3472", 6),
    "exp2_over": ("(2^x - 1) / x in t = x, x up to 1/2", off_zero(lambda x: mp.expm1(x * log(mpf(2))) / x), "-0.5", "0.5", 1),
    "log_gap": ("(x - log(1 + x)) / x^2 in t = x, x from -21/64 to 11/32", off_zero(log1p_rest), -mpf(21) / 64, mpf(11) / 32, 3),
    "log2_gap": ("(x - log(1 + x)) / (x^2 log(2)) in t = x, x from -21/64 to 11/32", off_zero(lambda x: log1p_rest(x) / log(mpf(2))), -mpf(21) / 64, mpf(11) / 32, 3),
    "atanh_gap": ("(2 atanh(s) - 2 s) / s^3 in t = s^2, s up to 0.197", log_series, 0, "0.0389", 3),
    "tanh_near": ("(tanh(x) - x) / x^3 in t = x^2, x up to 0.8", even(lambda x: (tanh(x) - x) / x**3), 0, "0.64", 2),
    "log_rest": ("(log((1 + s) / (1 - s)) - 2 s - 2 / 3 s^3) / s^5 in t = s^2, s up to 0.1716", even(lambda s: (2 * atanh(s) - 2 * s - 2 * s**3 / 3) / s**5), 0, "0.0295"),
    "atan_tail": ("(atan(x) - x) / x^3 in t = x^2, x up to tan(pi/8)", even(lambda x: (atan(x) - x) / x**3), 0, "0.1716", 3),
    "atan_near": ("(atan(x) - x) / x^3 in t = x^2, x up to tan(1/2)", even(lambda x: (atan(x) - x) / x**3), 0, "0.2985", 3),
    "atan_over": ("atan(x) / x in t = x^2, x up to 1", even(lambda x: atan(x) / x), 0, 1),
    "asin_tail": ("(asin(x) - x) / x^3 in t = x^2, x up to 0.5", even(lambda x: (asin(x) - x) / x**3), 0, "0.25", 3),
    "atanh_over": ("2 atanh(s) / s in t = s^2, s up to 0.2", even(lambda s: 2 * atanh(s) / s), 0, "0.0401"),
    "erfcx_beyond": ("erfcx(x) in t = (x - 3/2) / (x + 3/2), x from 1 to 6", lambda t: erfcx(mpf(3) / 2 * (1 + t) / (1 - t)), -mpf(1) / 5, mpf(3) / 5, 5),
    "erf_short": ("erf(x) / x - 1 in t = x^2 - 1/2, x up to 1", lambda t: even(lambda x: erf(x) / x - 1)(t + mpf(1) / 2), "-0.5", "0.5", 1),
    "erfcx_exponent": ("log(erfcx(x)) in t = x - 2.5, x from 1 to 4", lambda t: log(erfcx(t + mpf(5) / 2)), "-1.5", "1.5", 3),
    "erfcx_slope": ("((1 + 2 x) erfcx(x) - 7 erfcx(3)) / t in t = (x - 3) / (x + 3), x from 0.8 to 28", off_zero(lambda t: (erfcx_whole(t) - 7 * erfcx(mpf(3))) / t), -mpf(11) / 19, mpf(25) / 31, 2),
    "erfcx_whole": ("(1 + 2 x) erfcx(x) in t = (x - 3) / (x + 3), x from 0 up", erfcx_whole, -1, 1),
    "erfcx_over": ("(x + 3) erfcx(x) in t = 1 / (x + 3), x from 0 to 10.3", lambda t: erfcx(1 / t - 3) / t, mpf(1) / mpf("13.3"), mpf(1) / 3),
    "erfinv_central": ("erfinv(x) / x in t = w - 2.5 with w = -log(1 - x^2), w up to 5", erfinv_of(lambda t: t + 2.5), -2.5, 2.5),
    "erfinv_middle": ("erfinv(x) / x in t = w - 10.85, w from 5 to 16.7", erfinv_of(lambda t: t + mpf("10.85")), "-5.85", "5.85"),
    "erfinv_inner": erfinv_curve(1, 0, 6, 9),
    "erfinv_beyond": erfinv_curve(11, 6, "16.7", 5),
    "log_over": ("log(1 + x) / x in t = x, x up to 1/3", off_zero(lambda x: mp.log1p(x) / x), -mpf(1) / 3, mpf(1) / 3),
    "erfinv_outer": ("erfinv(x) / x in t = sqrt(w) - 7.2, w from 16.7 to 106", erfinv_of(lambda t: (t + mpf("7.2")) ** 2), "-3.12", "3.12"),
    "tanh_tail": ("(tanh(x) - x) / x^3 in t = x^2, x up to 1", even(lambda x: (tanh(x) - x) / x**3), 0, 1, 2),
    "sinh_tail": ("(sinh(x) - x) / x^3 in t = x^2, x up to 0.75", even(lambda x: (mp.sinh(x) - x) / x**3), 0, "0.5625", 4),
    "half_sine": ("sin(x) / x in t = x^2, x up to pi/2", even(lambda x: sin(x) / x), 0, "2.4675"),
    "half_tangent": ("tan(x) / x in t = x^2, x up to pi/4", even(lambda x: tan(x) / x), 0, "0.617"),
    "half_sinpi": ("sin(pi x) / (pi x (1 - x^2)) in t = x^2, x up to 1", even(lambda x: mp.sinpi(x) / (pi * x * (1 - x * x)) if x < 1 else mpf(1) / 2), 0, 1),
    "half_log1p": ("log(1 + x) / x in t = x, x up to 1/8", off_zero(lambda x: mp.log1p(x) / x), "-0.125", "0.125"),
    "half_log1p_unit": ("log(1 + x) / x in t = x, x from 0 to 1", off_zero(lambda x: mp.log1p(x) / x), 0, 1),
    "half_sinh": ("sinh(x) / x in t = x^2, x up to 1", even(lambda x: mp.sinh(x) / x), 0, 1),
    "half_lgamma": ("lgamma(x) / ((x - 1) (x - 2)) in t = x - 1.75, x from 1 to 2.5", lambda t: off_zero(lambda u: lgamma(u + 2) / ((u + 1) * u))(t - mpf(1) / 4 if abs(t + mpf(3) / 4) > mpf(10) ** -15 else mpf(10) ** -15 - 1), "-0.75", "0.75"),
    "half_stirling": ("x (lgamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2)) in t = 1 / x^2, x from 2.5 up", stirling, 0, "0.16", 3),
    "half_erfcx": ("(x + 3) erfcx(x) in t = 1 / (x + 3), x from 0 to 9.7", lambda t: erfcx(1 / t - 3) / t, mpf(1) / mpf("12.7"), mpf(1) / 3),
    "normal_whole": ("(x + 3) erfcx(x / sqrt(2)) / 2 in t = (x - 3) / (x + 3), x from 0 to 14.6", lambda t: erfcx(3 * (1 + t) / (1 - t) / sqrt(mpf(2))) * 3 / (1 - t), -1, mpf("11.6") / mpf("17.6"), 1),
    "normal_far": ("(x + 4) erfcx(x / sqrt(2)) / 2 in t = (x - 4) / (x + 4), x from 0 to 39", lambda t: erfcx(4 * (1 + t) / (1 - t) / sqrt(mpf(2))) * 4 / (1 - t), -1, mpf(35) / 43, 2),
    "half_normal": ("(x + 3.5) erfcx(x / sqrt(2)) / 2 in t = 1 / (x + 3.5), x from 0 to 13.6", lambda t: erfcx((1 / t - mpf("3.5")) / sqrt(mpf(2))) / (2 * t), mpf(1) / mpf("17.1"), mpf(2) / 7),
    "log1p_rest": ("(x - log(1 + x)) / x^2 in t = x, x from -0.4 to 0.415", off_zero(log1p_rest), "-0.4", "0.415"),
    "log1p_long": ("(x - log(1 + x)) / x^2 in t = x, x from -0.4 to 0.415", off_zero(log1p_rest), "-0.4", "0.415", -9),
    **{
        f"temme_{k}": (f"Temme's c_{k}(t), t = eta from -0.48 to 0.36", temme(k), "-0.48", "0.36", slack)
        for k, slack in enumerate((2, 12, 20, 30, 40))
    },
}

# Bessel functions of a float in double arithmetic; the phase counts beside a zero.
for name in ("j0_near", "j1_near", "y0_near", "y0_middle", "y1_near", "y1_middle", "modulus_0", "modulus_1"):
    FITS[f"wide_{name}"] = FITS[name]
for name in ("phase_0", "phase_1"):
    FITS[f"wide_{name}"] = (*FITS[name][:4], -8)

# How many of a polynomial's first coefficients have a second word, and with them its value.
WORDS = {
    "log1p_rest": 5, "log1p_long": 8, "i0_series": 4, "i1_series": 4, "i0_tail": 1, "i1_tail": 1,
    "sinpi_tail": 1, "lgamma_near_one": 2, "lgamma_near_two": 2, "erfcx_near": 3,  "erfcx_middle": 1, "erfcx_far": 1, "erfinv_near": 1, "erfcinv_near": 2, "erfcinv_middle": 1, "erfcinv_far": 1}

# Long polynomials of doubles on a processor, which two-chains.h sums.
CHAINS = {"exp_short", "erfcx_slope", "erfinv_inner", "erfinv_beyond"}

# Quotients of polynomials of doubles, with the degrees of both.
RATIOS = {"tangent_tail": (2, 3)}
