"""Writes the files of test/data/tables: Parquet and Feather tables and images that jl.readParquet, jl.fromArrow and jl.readImage read.

    pip install pyarrow pillow && python3 scripts/table_files.py
"""

import datetime as dt
import pathlib

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as parquet
from PIL import Image

folder = pathlib.Path(__file__).parent.parent / "test/data/tables"
when = [dt.datetime(2026, 1, 2, 3, 4, 5, 678901), dt.datetime(1969, 12, 31), dt.datetime(2000, 2, 29)]
table = pa.table(
    {
        "price": pa.array([2.5, None, -1e300], pa.float64()),
        "half": pa.array(np.array([0.5, 1, 2], np.float16)),
        "single": pa.array([1, 2, 3], pa.float32()),
        "count": pa.array([1, -2, 3], pa.int32()),
        "big": pa.array([2**62, -1, 0], pa.int64()),
        "small": pa.array([255, 0, 1], pa.uint8()),
        "unsigned": pa.array([2**64 - 1, 0, 1], pa.uint64()),
        "flag": pa.array([True, False, True]),
        "city": pa.array(["Oslo", None, "Oslo"]),
        "day": pa.array([d.date() for d in when], pa.date32()),
        "milli": pa.array([d.replace(microsecond=0) for d in when], pa.timestamp("ms")),
        "micro": pa.array(when, pa.timestamp("us")),
        "nano": pa.array(when, pa.timestamp("ns", "UTC")),
        "cost": pa.array([1, 2, 3], pa.int32()).cast(pa.decimal128(12, 2)),
    }
)
for codec in ["none", "snappy", "gzip", "zstd"]:
    parquet.write_table(table, folder / f"{codec}.parquet", compression=codec, row_group_size=2)
parquet.write_table(pa.table({"x": [1, 2], "list": [[1], [2, 3]]}), folder / "nested.parquet")
parquet.write_table(pa.table({"x": [1], "s": [{"a": 1}]}), folder / "struct.parquet")
parquet.write_table(pa.table({"n": pa.array([1, None], pa.int32())}), folder / "null.parquet")
parquet.write_table(pa.table({"city": ["Paris", "Rome"], "price": [2.0, 3.0]}), folder / "prices.parquet")
numbers = table.select(["single", "count", "big", "flag", "micro"])
feather.write_feather(numbers, folder / "lz4.feather", compression="lz4")

ramp = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3) * 14
image = Image.fromarray(ramp)
image.save(folder / "rgb.png")
image.convert("RGBA").save(folder / "rgba.png")
image.convert("P", palette=Image.Palette.ADAPTIVE).save(folder / "palette.png")
Image.fromarray(ramp[:, :, 0]).save(folder / "gray.png")
Image.fromarray(ramp[:, :, 0].astype(np.uint16) * 256).save(folder / "deep.png")
Image.fromarray(ramp[:, :, 0] > 40).save(folder / "bits.png")
flat = Image.fromarray(np.full((8, 16, 3), [200, 100, 50], np.uint8))
flat.save(folder / "rgb.jpg", quality=95)
flat.save(folder / "progressive.jpg", quality=95, progressive=True)
flat.convert("L").save(folder / "gray.jpg", quality=95)
flat.convert("CMYK").save(folder / "cmyk.jpg", quality=95)
