"""Runs the lines of the page for analysts and the views of `/data/rollcall.sql`, and prints their results as JSON."""

import json
import pathlib
import sys
import urllib.request

import duckdb
import duckdb_extension_httpfs

asked = json.loads(sys.argv[1])
# DuckDB installs this extension itself where it reaches its own servers.
[extension] = pathlib.Path(duckdb_extension_httpfs.__path__[0]).rglob('httpfs.duckdb_extension')
duckdb.load_extension(str(extension))
lines = [duckdb.sql(line).fetchall() for line in asked['duckdb']]

duckdb.execute(urllib.request.urlopen(asked['url'] + '/data/rollcall.sql').read().decode())
sums = '''
    SELECT p.proposal_id, p.title, t.yes::VARCHAR, count(b.voter), sum(b.voting_power)::VARCHAR
    FROM rollcall.proposals AS p
    JOIN rollcall.tallies AS t ON t.proposal_id = p.proposal_id AND t.round = p.round
    JOIN rollcall.ballots AS b ON b.proposal_id = p.proposal_id AND b.round = p.round
    WHERE p.status IN ('passed', 'rejected', 'failed') AND p.closed_time > TIMESTAMPTZ '2020-01-01 00:00:00+00'
    GROUP BY ALL ORDER BY ALL'''
views = {name: duckdb.sql(f'SELECT count(*) FROM rollcall.{name}').fetchone()[0] for name in asked['tables']}

names = {}
exec(asked['pandas'], names)
print(json.dumps({
    'lines': lines,
    'sums': duckdb.sql(sums).fetchall(),
    'views': views,
    'pandas': names['result'].to_dict('records'),
    'types': dict(duckdb.sql("SELECT column_name, column_type FROM (DESCRIBE rollcall.ballots)").fetchall()),
}, default=str))
