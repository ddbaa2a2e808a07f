// `/auth.md`: how an agent registers, gets a token and reads with it, in commands that run unchanged. Pure.
import { GRANT, ID_JAG_TYPE, PATHS, SCOPE } from '../../auth/contract/service.ts'
import { type About, type Document, MARKDOWN_TYPE } from './about.ts'
import { readTemplate } from './template.ts'

const withTokens = readTemplate('auth.md')
const withoutTokens = readTemplate('auth-without-tokens.md')

const write = ({ service: { issuer, urls }, issuesTokens }: About): string =>
  issuesTokens
    ? withTokens({
        ...urls,
        issuer,
        scope: SCOPE,
        idJagType: ID_JAG_TYPE,
        jwtBearerGrant: GRANT.jwtBearer,
        clientCredentialsGrant: GRANT.clientCredentials,
        claimGrant: GRANT.claim,
      })
    : withoutTokens(urls)

export const authMd: Document = {
  path: PATHS.authMd,
  type: MARKDOWN_TYPE,
  maxAgeSeconds: 300,
  write,
}
