// Tests the headers of all responses.
import { expect, it, onTestFinished } from 'vitest'
import { createApiRig } from '../../../support/api/api-rig.ts'
import { createMemoryStore } from '../../../support/store/memory-store.ts'

it('Vary names every header field that selects the form of a response, so that a cache keeps the forms apart', async () => {
  const rig = await createApiRig(createMemoryStore())
  onTestFinished(rig.close)
  const forms = {
    Accept: ['application/json', 'text/markdown', 'text/html'],
    'Accept-Encoding': ['identity', 'gzip', 'br'],
    Authorization: ['Bearer none', 'Basic none'],
  }
  for (const [field, values] of Object.entries(forms)) {
    for (const value of values) {
      const { headers } = await rig.ask('/status', { headers: { [field.toLowerCase()]: value } })
      expect(headers['vary']?.split(', '), `${field}: ${value}`).toContain(field)
    }
  }
  const types = forms.Accept.map(async (accept) => {
    const { headers } = await rig.ask('/status', { headers: { accept } })
    return headers['content-type']
  })
  expect(new Set(await Promise.all(types)).size).toBeGreaterThan(1)
})
