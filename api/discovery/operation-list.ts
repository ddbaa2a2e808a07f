// Operations of the read API and their parameters as Markdown, for documents that language models read. Pure.
import type { ServiceDescription } from '../../auth/contract/service.ts'
import type { Operation, Tag } from '../resources/operation.ts'
import { OPERATIONS } from '../resources/operations.ts'
import { describeParameter } from '../resources/parameter.ts'
import { getParameter, type ParameterName } from '../resources/parameters.ts'
import { toPathTemplate } from '../resources/path-parameters.ts'

/** The parameters besides those of pages, which every list has. */
const findOwnParameters = ({ queryParameters }: Operation): ParameterName[] =>
  queryParameters.filter((name) => name !== 'page' && name !== 'cursor')

/** Its path with its own parameters, and what it answers. */
export const describeOperation = (operation: Operation): [call: string, answer: string] => {
  const { path, guide, pageSize } = operation
  const names = findOwnParameters(operation).map((name) => `\`${name}\``)
  const parameters = names.length === 0 ? '' : ` (${names.join(', ')})`
  const size = pageSize === undefined ? '' : `; ${pageSize.toLocaleString('en')} per page`
  return [`\`GET ${toPathTemplate(path)}\`${parameters}`, `${guide}${size}`]
}

/** A section with one line per operation: its path, its own parameters, and what it answers. */
export const writeOperations = ({ issuer }: ServiceDescription, tag?: Tag): string => {
  const operations = OPERATIONS.filter((each) => tag === undefined || each.tag === tag)
  return `## Operations

A path follows ${issuer}. Its own query parameters are in parentheses. A list also has \`cursor\`, most lists \`page\`.

${operations.map((each) => `- ${describeOperation(each).join(': ')}`).join('\n')}
`
}

/** A table of the parameters besides those of pages. */
export const writeParameters = (operation: Operation): string =>
  [
    '| parameter | value |',
    '|---|---|',
    ...findOwnParameters(operation).map((name) => {
      const meaning = describeParameter(getParameter(name, operation.parameters))
      return `| \`${name}\` | ${meaning} |`
    }),
  ].join('\n')
