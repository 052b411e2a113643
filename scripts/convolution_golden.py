"""Writes test/data/convolution.json.gz: what PyTorch gives for convolutions and pooling. Run it with a Python that has it;
test/tensor/convolution.test.ts compares."""

import torch
import torch.nn.functional as F
from golden import save, written

torch.manual_seed(13)
double = torch.float64


def random(*shape):
    return torch.randn(shape, dtype=double)


T = {
    "signal": random(2, 4, 9),
    "taps": random(6, 4, 3),
    "grouped": random(6, 2, 3),
    "depth": random(8, 1, 3),
    "images": random(2, 3, 7, 8),
    "one": random(1, 6, 7),
    "weight": random(5, 3, 3, 2),
    "small": random(2, 1, 3, 3),
    "depth2": random(6, 1, 2, 3),
    "big": random(1, 1, 8, 7),
    "wide": random(1, 20, 21),
    "bias": random(5),
    "pool": random(2, 2, 9, 10),
    "single": torch.randn([1, 2, 6, 6]),
    "single_weight": torch.randn([3, 2, 3, 3]),
    "z": torch.randn([1, 2, 5], dtype=torch.complex128),
    "zw": torch.randn([2, 2, 2], dtype=torch.complex128),
    "turned": random(3, 5, 3, 2),
    "turned2": random(4, 3, 2, 3),
    "four": random(2, 4, 5, 6),
    "small_image": random(1, 2, 4, 5),
}
CASES = [
    ("signal.conv1d(taps)", lambda: F.conv1d(T["signal"], T["taps"])),
    ("signal.conv1d(taps, { stride: 2, padding: 1, dilation: 2 })", lambda: F.conv1d(T["signal"], T["taps"], stride=2, padding=1, dilation=2)),
    ("signal.conv1d(grouped, { groups: 2 })", lambda: F.conv1d(T["signal"], T["grouped"], groups=2)),
    ("signal.conv1d(depth, { groups: 4, padding: 'same' })", lambda: F.conv1d(T["signal"], T["depth"], groups=4, padding="same")),
    ("signal.select(0, 0).conv1d(taps, { padding: 'same', dilation: 3 })", lambda: F.conv1d(T["signal"][0], T["taps"], padding="same", dilation=3)),
    ("images.conv2d(weight, { bias })", lambda: F.conv2d(T["images"], T["weight"], T["bias"])),
    ("images.conv2d(weight, { stride: [2, 1], padding: [0, 2], dilation: [1, 2] })", lambda: F.conv2d(T["images"], T["weight"], stride=(2, 1), padding=(0, 2), dilation=(1, 2))),
    ("one.conv2d(small, { padding: 1 })", lambda: F.conv2d(T["one"], T["small"], padding=1)),
    ("images.conv2d(depth2, { groups: 3, stride: 2 })", lambda: F.conv2d(T["images"], T["depth2"], groups=3, stride=2)),
    ("wide.conv2d(big)", lambda: F.conv2d(T["wide"], T["big"])),
    ("single.conv2d(single_weight)", lambda: F.conv2d(T["single"], T["single_weight"])),
    ("z.conv1d(zw)", lambda: F.conv1d(T["z"], T["zw"])),
    ("images.transpose(2, 3).conv2d(weight)", lambda: F.conv2d(T["images"].transpose(2, 3), T["weight"])),
    ("pool.maxPool2d(2)", lambda: F.max_pool2d(T["pool"], 2)),
    ("pool.maxPool2d([3, 2], { stride: [2, 1], padding: 1, dilation: [1, 3] })", lambda: F.max_pool2d(T["pool"], (3, 2), stride=(2, 1), padding=1, dilation=(1, 3))),
    ("pool.maxPool2d(8, { stride: 1, padding: 4 })", lambda: F.max_pool2d(T["pool"], 8, stride=1, padding=4)),
    ("one.maxPool2d(1, { stride: 2 })", lambda: F.max_pool2d(T["one"], 1, stride=2)),
    ("pool.avgPool2d(2)", lambda: F.avg_pool2d(T["pool"], 2)),
    ("pool.avgPool2d([3, 2], { stride: [2, 1], padding: 1 })", lambda: F.avg_pool2d(T["pool"], (3, 2), stride=(2, 1), padding=1)),
    ("pool.avgPool2d(3, { padding: 1, countIncludePad: false })", lambda: F.avg_pool2d(T["pool"], 3, padding=1, count_include_pad=False)),
    ("pool.avgPool2d(8, { stride: 1, padding: 2 })", lambda: F.avg_pool2d(T["pool"], 8, stride=1, padding=2)),
    ("images.convTranspose2d(turned, { bias })", lambda: F.conv_transpose2d(T["images"], T["turned"], T["bias"])),
    ("images.convTranspose2d(turned, { stride: [2, 3], padding: [1, 0], outputPadding: [1, 2], dilation: [1, 2] })", lambda: F.conv_transpose2d(T["images"], T["turned"], stride=(2, 3), padding=(1, 0), output_padding=(1, 2), dilation=(1, 2))),
    ("four.convTranspose2d(turned2, { groups: 2, stride: 2, padding: 2 })", lambda: F.conv_transpose2d(T["four"], T["turned2"], groups=2, stride=2, padding=2)),
    ("four.select(0, 1).convTranspose2d(turned2, { groups: 4 })", lambda: F.conv_transpose2d(T["four"][1], T["turned2"], groups=4)),
    *[
        (f"signal.interpolate({{ {ours}{mode} }})", lambda theirs=theirs: F.interpolate(T["signal"], **theirs))
        for sizes, given in [("size: 5", {"size": 5}), ("size: [14]", {"size": 14}), ("scaleFactor: 1.7", {"scale_factor": 1.7})]
        for mode, further in [("", {}), (', mode: "linear"', {"mode": "linear"}), (', mode: "linear", alignCorners: true', {"mode": "linear", "align_corners": True})]
        for ours, theirs in [(sizes, {**given, **further})]
    ],
    *[
        (f"small_image.interpolate({{ {ours}{mode} }})", lambda theirs=theirs: F.interpolate(T["small_image"], **theirs))
        for sizes, given in [("size: [7, 3]", {"size": (7, 3)}), ("scaleFactor: [2, 0.5]", {"scale_factor": (2.0, 0.5)}), ("size: 1", {"size": 1})]
        for mode, further in [
            ("", {}),
            (', mode: "bilinear"', {"mode": "bilinear"}),
            (', mode: "bilinear", alignCorners: true', {"mode": "bilinear", "align_corners": True}),
            (', mode: "bicubic"', {"mode": "bicubic"}),
            (', mode: "bicubic", alignCorners: true', {"mode": "bicubic", "align_corners": True}),
        ]
        for ours, theirs in [(sizes, {**given, **further})]
    ],
]
cases = [{"call": call, "result": written(run())} for call, run in CASES]
save("convolution", len(cases), {"inputs": {k: written(v) for k, v in T.items()}, "cases": cases})
