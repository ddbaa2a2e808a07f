// Puts beside the compiled files what they read at run time: migrations and the package's version.
import { chmod, copyFile, cp } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)
const path = (name) => fileURLToPath(new URL(name, root))

await cp(path('projections/migrations'), path('dist/projections/migrations'), {
  recursive: true,
  force: true,
})
await copyFile(path('package.json'), path('dist/package.json'))
await chmod(path('dist/infra/cli.js'), 0o755)
