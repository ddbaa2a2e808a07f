// Tests that the table of the API in api/USE.md has every operation.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { OPERATIONS } from '../../../../api/resources/operations.ts'
import { USE_PAGE, withApiTable } from '../../../docs/api-table.ts'

it('the page has every operation of the API, as the code declares it (else run `npm run docs:api`)', () => {
  const written = readFileSync(USE_PAGE, 'utf8')
  expect(written).toBe(withApiTable(written))
  expect(written.match(/^\| `GET \/api\//gm)).toHaveLength(OPERATIONS.length)
})
