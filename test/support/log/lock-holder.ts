// A process that takes the write lock of an embedded log and keeps it until it is killed. Argument: the file of the log.
import { writeSync } from 'node:fs'
import { openDatabase } from '../../../infra/base/log/sqlite.ts'

const db = openDatabase(process.argv[2] as string)
db.exec('BEGIN IMMEDIATE')
writeSync(1, '{"locked":true}\n')
process.stdin.resume().once('end', () => db.close())
