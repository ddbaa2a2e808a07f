// A process that appends its name and a counter to a shared log; arguments: path, name, count.
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'

const [path = '', name = '', count = ''] = process.argv.slice(2)
const log = await openEmbeddedLog({ path, shared: true })
for (let at = 0; at < Number(count); at++) {
  const value = new TextEncoder().encode(`${name} ${at}`)
  await log.append([{ height: 1, timeMs: 1, value }])
}
await log.close()
process.stdout.write('{"done":true}\n')
