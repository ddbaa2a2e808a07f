// Writes `.env.example` from the settings: `npm run docs:settings`.
import { writeFileSync } from 'node:fs'
import { ENV_EXAMPLE, envExample } from './env-example-page.ts'

writeFileSync(ENV_EXAMPLE, envExample())
