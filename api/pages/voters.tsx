// `/voters`: the form to look up a voter by its address.
import type { AddressPrefixes } from '../read/queries/addresses.ts'
import { Fact, Facts } from '../view/blocks.tsx'
import type { PageContext } from '../view/context.ts'
import type { Document } from '../view/page.tsx'
import { toHref } from '../view/parts.tsx'
import { plainLine } from '../words/texts.ts'

/** The input, why it is not valid, and the prefixes of examples. */
type Data = { address: string; problem: string | null; prefixes: AddressPrefixes | null }

const toExample = (prefix: string | null | undefined): string =>
  prefix === null || prefix === undefined ? '' : `, such as ${prefix}1…`

const describeAddress = ({ prefixes }: Data): string =>
  `Your address${toExample(prefixes?.account)}. The form 0x… works too. ` +
  `The address of a validator${toExample(prefixes?.operator)}, opens its page.`

function Form({ data }: { data: Data }, at: PageContext) {
  const { address, problem } = data
  return (
    <form class="look-up" action={toHref('/voters', at)} method="get">
      <label for="address">Address</label>
      {problem !== null && (
        <p id="address-problem" class="mistake">
          <strong>This is not a valid address.</strong> It {problem}
        </p>
      )}
      <div class="row">
        <input
          id="address"
          name="address"
          type="text"
          value={address}
          aria-describedby={problem === null ? 'address-hint' : 'address-problem address-hint'}
          aria-invalid={problem === null ? 'false' : 'true'}
          required
          maxlength={128}
          autocapitalize="none"
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit">Look up</button>
      </div>
      <p id="address-hint" class="soft">
        {describeAddress(data)}
      </p>
    </form>
  )
}
Form.text = ({ data }: { data: Data }, { baseUrl }: PageContext) => (
  <>
    {data.problem !== null && (
      <p>{`${plainLine(data.address)} is not a valid address: it ${data.problem}.`}</p>
    )}
    <p>
      <code>{`GET ${baseUrl}/voters/{address}`}</code> has every ballot of one account.
    </p>
    <Facts>
      <Fact name="Address">{describeAddress(data)}</Fact>
    </Facts>
  </>
)

export function writeVoters(data: Data): Document {
  return {
    title: data.problem === null ? 'Look up a voter' : 'This is not a valid address',
    heading: 'Look up a voter',
    description: 'Every ballot of one address: the proposal, the vote and its voting power.',
    path: '/voters',
    body: (
      <>
        <p>Enter the address of an account to see all its ballots, with their voting power.</p>
        <Form data={data} />
      </>
    ),
  }
}
