// The documents of one service as they are served.
import type { About } from '../../../api/discovery/documents.ts'
import { describeService } from '../../../auth/contract/service.ts'

export const PUBLIC_URL = 'https://gov.example.org'

export const aboutService = (changes: Partial<About> & { baseUrl?: string } = {}): About => {
  const { baseUrl = PUBLIC_URL, ...rest } = changes
  return {
    service: describeService(baseUrl),
    version: '1.0.0',
    issuesTokens: true,
    isDemo: false,
    ...rest,
  }
}
