// `/privacy`: what the service keeps of its readers, and whom to ask. Hosts that list the service link to it.
import { html } from '../../infra/base/html/html.ts'
import { drawn, link } from '../document/line.ts'
import { type Document, list, paragraph, section } from '../document/tree.ts'

/** `contact` is a URI; undefined if the operator has set none. */
export const writePrivacy = (contact: string | undefined): Document => ({
  title: 'Privacy and support',
  description: 'What this service keeps of its readers, and whom to ask.',
  path: '/privacy',
  blocks: [
    section(
      { id: 'privacy', title: 'Privacy' },
      paragraph('You need no account. All data shown here is public on the chain.'),
      list([
        'Network addresses are counted in memory for limits, for at most a day. ' +
          'Rollcall writes none of them to a log or to disk.',
        'Pages set no cookies. The page that lets a program read sets one for ten minutes, ' +
          'so that only you can press its button.',
        'A program that logs in gets tokens. ' +
          'Kept are random ids and times of their use, and neither a name nor the tokens.',
        'If you claim an agent with a wallet, its address is kept with the claim.',
        'Pages load no files of others, and nobody counts visits.',
      ]),
      paragraph(
        'The operator of this service may run other software in front of it, such as a proxy.',
      ),
    ),
    section(
      { id: 'support', title: 'Support' },
      contact === undefined
        ? paragraph('The operator has set no contact.')
        : paragraph([
            'Write to the operator: ',
            drawn(html`<a href="${contact}">${contact}</a>`, contact),
            '.',
          ]),
      paragraph([
        'First see ',
        link('/status', 'the status'),
        ' and ',
        link('/docs', 'the API reference'),
        '.',
      ]),
    ),
  ],
})
