"""Reads a Parquet file of amounts as the page for analysts says, and prints what each library makes of it, as JSON."""

import decimal
import json
import sys

import duckdb
import pandas
import pyarrow.parquet

amounts, texts = sys.argv[1:]
frame = pandas.read_parquet(amounts, dtype_backend='pyarrow')
plain = pandas.read_parquet(amounts)
short_sum = str(plain['whole'].sum())
decimal.getcontext().prec = 100
nullable = pandas.read_parquet(amounts, dtype_backend='numpy_nullable')
sql = duckdb.sql(f"SELECT whole::DECIMAL(38, 0) FROM '{texts}' ORDER BY whole DESC")
print(json.dumps({
    'pyarrow': {field.name: str(field.type) for field in pyarrow.parquet.read_schema(amounts)},
    'exact_sum': f"{frame['whole'].sum():f}",
    'exact_fraction': f"{frame['fine'].sum():f}",
    'short_sum': f'{decimal.Decimal(short_sum):f}',
    'sum_with_precision': f"{plain['whole'].sum():f}",
    'integers': [str(each['height'].dtype) for each in (plain, nullable, frame)],
    'height': int(frame['height'][0]),
    'duckdb': [str(duckdb.sql(f"SELECT typeof(whole) FROM '{amounts}'").fetchall()[0][0]), str(sql.fetchall()[0][0])],
}))
