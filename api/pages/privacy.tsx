// `/privacy`: what the service keeps of its readers, and whom to ask. Hosts that list the service link to it.
import { Section } from '../view/blocks.tsx'
import type { Document } from '../view/page.tsx'
import { Link } from '../view/parts.tsx'

/** `contact` is a URI; undefined if the operator has set none. */
export function writePrivacy(contact: string | undefined): Document {
  return {
    title: 'Privacy and support',
    description: 'What this service keeps of its readers, and whom to ask.',
    path: '/privacy',
    body: (
      <>
        <Section id="privacy" title="Privacy">
          <p>You need no account. All data shown here is public on the chain.</p>
          <ul>
            <li>
              Network addresses are counted in memory for limits, for at most a day. Rollcall writes
              none of them to a log or to disk.
            </li>
            <li>
              Pages set no cookies. The page that lets a program read sets one for ten minutes, so
              that only you can press its button.
            </li>
            <li>
              A program that logs in gets tokens. Kept are random ids and times of their use, and
              neither a name nor the tokens.
            </li>
            <li>If you claim an agent with a wallet, its address is kept with the claim.</li>
            <li>Pages load no files of others, and nobody counts visits.</li>
          </ul>
          <p>
            The operator of this service may run other software in front of it, such as a proxy.
          </p>
        </Section>
        <Section id="support" title="Support">
          <p>
            {contact === undefined ? (
              'The operator has set no contact.'
            ) : (
              <>
                Write to the operator: <a href={contact}>{contact}</a>.
              </>
            )}
          </p>
          <p>
            First see <Link to="/status">the status</Link> and{' '}
            <Link to="/docs">the API reference</Link>.
          </p>
        </Section>
      </>
    ),
  }
}
