// A process that appends its name and a counter to a shared log. It can open the log again for each record.
// Arguments: path, name, count, and `reopen`.
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'

const [path = '', name = '', count = '', reopen] = process.argv.slice(2)
const open = () => openEmbeddedLog({ path, shared: true })
let log = await open()
for (let at = 0; at < Number(count); at++) {
  const value = new TextEncoder().encode(`${name} ${at}`)
  await log.append([{ height: 1, timeMs: 1, value }])
  if (reopen) {
    await log.close()
    log = await open()
  }
}
await log.close()
process.stdout.write('{"done":true}\n')
