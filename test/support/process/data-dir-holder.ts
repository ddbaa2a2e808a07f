// A process that opens a data directory and keeps it open until it is stopped. Argument: the directory.
import { writeSync } from 'node:fs'
import { openDataDir } from '../../../infra/app/data-dir.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'

const report = (message: object) => writeSync(1, `${JSON.stringify(message)}\n`)

try {
  const dataDir = await openDataDir(process.argv[2] as string)
  report({ holds: process.pid })
  process.stdin.resume().once('end', () => void dataDir.release())
} catch (error) {
  report({ code: error instanceof AppError ? error.code : String(error), message: String(error) })
  process.exitCode = 1
}
