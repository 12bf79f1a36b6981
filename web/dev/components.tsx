import { render, type ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ConnectionError, TributaryError } from '../../sdk/src/index.ts';
import { useAddress } from '../frame/address.ts';
import { reloadProgram } from '../session.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Chart } from '../ui/chart.tsx';
import { Choice } from '../ui/choice.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { CsvButton } from '../ui/csv-button.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Facts } from '../ui/facts.tsx';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { AreaField, Field, SelectField } from '../ui/field.tsx';
import { FilterBar } from '../ui/filter-bar.tsx';
import { FoldCard } from '../ui/fold-card.tsx';
import { Form } from '../ui/form.tsx';
import * as icons from '../ui/icons.tsx';
import { ItemList } from '../ui/item-list.tsx';
import { Listing } from '../ui/listing.tsx';
import { Moment } from '../ui/moment.tsx';
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { Pager } from '../ui/pager.tsx';
import { Pill } from '../ui/pill.tsx';
import { rich } from '../ui/rich.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { SelectionBar, useSelection } from '../ui/selection.tsx';
import { ShareButton } from '../ui/share-button.tsx';
import { SiteMark } from '../ui/site-mark.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { sortingOf } from '../ui/sorting.tsx';
import { StatusLine } from '../ui/status-line.tsx';
import { FileField } from '../ui/file-field.tsx';
import { SwitchField } from '../ui/switch-field.tsx';
import { Timeline } from '../ui/timeline.tsx';
import load from 'texts:console';
import { useWords } from '../words.ts';
import '../ui/base.css';
import '../ui/figure-tiles.css';
import '../frame/screen.css';
import './components.css';

const PATH = '/dev/components';

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <Card>
      <h2>{title}</h2>
      {children}
    </Card>
  );
}

const rows = [
  { id: 1, name: 'Maya Lindqvist', amount: 1_234.5 },
  { id: 2, name: 'A name that is so long that it has to wrap on a phone', amount: 12 },
  { id: 3, name: 'Ben', amount: -40.25 },
];
const columns: readonly Column<(typeof rows)[number]>[] = [
  { key: 'name', label: 'Name', sort: 'name', phone: 'title', cell: ({ name }) => name },
  {
    key: 'state',
    label: 'State',
    phone: 'state',
    cell: ({ amount }) => <Pill kind={amount > 0 ? 'good' : 'bad'}>{String(amount > 0)}</Pill>,
  },
  { key: 'date', label: 'Date', phone: 'detail', cell: () => <Moment date={NOW} /> },
  {
    key: 'amount',
    label: 'Amount',
    sort: 'amount',
    isNumber: true,
    phone: 'aside',
    cell: ({ amount }) => <Money amount={amount} />,
  },
];

const NOW = new Date().toISOString();
const NEVER = new Promise<never>(() => {});
const offline = new ConnectionError('no connection');
const refusal = (status: 400 | 404) =>
  new TributaryError(status === 400 ? 'rest_invalid_param' : 'rest_no_route', 'Refused', {
    status,
    data: { status },
    requestId: 'r-1',
    retryAfter: undefined,
  });
const idle = { data: undefined, error: undefined, loading: false, stale: false, retry() {} };

/** Sends its form at once, so that the state after it is visible. */
function Sent({ children }: { children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.querySelector('form')?.requestSubmit(), []);
  return <div ref={place}>{children}</div>;
}

/** Every component in its states, for `npm run dev`. */
function Components() {
  const address = useAddress(PATH);
  const selection = useSelection(rows.map(({ id }) => id));
  const [isOpen, setOpen] = useState(false);
  const [choice, setChoice] = useState('a');
  const days = Array.from({ length: 30 }, (_, i) => `2026-01-${String(i + 1).padStart(2, '0')}`);
  const views = ['a', 'b', 'c'].map((value, i) => ({
    value,
    label: `View ${value}`,
    count: i * 7,
  }));
  const hrefOf = () => PATH;
  const sorting = sortingOf('-amount', hrefOf);
  const options = views.map(({ value, label }) => ({ value, label }));
  return (
    <main class="screen dev-components">
      <h1>Components</h1>
      <Part title="Buttons">
        <div class="dev-row">
          {(['primary', 'quiet', 'danger'] as const).map((kind) => (
            <Button key={kind} kind={kind} onClick={() => setOpen(true)}>
              {kind}
            </Button>
          ))}
          <Button busy>Busy</Button>
          <LinkButton href={PATH}>Link</LinkButton>
          <CopyButton text="SUMMER10" label="Copy code" />
          <ShareButton url={PATH} title="Components" />
          <CsvButton fileName="list.csv" load={() => NEVER} />
        </div>
      </Part>
      <Part title="A folded card">
        <FoldCard title="Folded" isOpen={false}>
          <p>What is read later.</p>
        </FoldCard>
      </Part>
      <Part title="Pills, amounts, moments, marks">
        <div class="dev-row">
          {(['plain', 'good', 'warn', 'bad', 'accent'] as const).map((kind) => (
            <Pill key={kind} kind={kind}>
              {kind}
            </Pill>
          ))}
          <Money amount={1_234.5} /> <Money amount={99} currency="JPY" />
          <Moment date={NOW} /> <Moment inLog date={NOW} />
          <SiteMark name="Willow & Wick" logo={undefined} />
          <SiteMark name="Willow & Wick" logo="/icon.svg" />
          <span>{rich('common.pageOf', { page: <strong>2</strong>, pages: <em>9</em> })}</span>
        </div>
      </Part>
      <Part title="Notices and status lines">
        {(['info', 'good', 'warn', 'bad'] as const).map((kind) => (
          <Notice key={kind} kind={kind}>
            A notice of the kind “{kind}”, with <a href={PATH}>a link</a>.
          </Notice>
        ))}
        <StatusLine kind="good">Saved.</StatusLine>
        <StatusLine kind="warn">Waiting.</StatusLine>
        <ErrorSummary problem="The form is incomplete." errors={[{ name: 'x', label: 'Name' }]} />
      </Part>
      <Part title="Fields">
        <Field name="plain" label="Optional" hint="A hint." />
        <Field name="faulty" label="Refused" required defaultValue="?" error="Please check this." />
        <Field name="off" label="Disabled" required disabled defaultValue="Fixed" />
        <FileField name="file" label="A file" accept="*" onFiles={() => {}} />
        <AreaField name="area" label="Several lines" required rows={3} value="Text" />
        <SelectField name="select" label="One of many" required value="b" options={options} />
        <Choice
          name="choice"
          legend="One of few"
          options={options}
          current={choice}
          onChoose={setChoice}
        />
        <SwitchField name="on" label="On" hint="A hint." isOn />
        <SwitchField name="fixed" label="Fixed" isOn={false} isDisabled />
      </Part>
      <Part title="Forms: ready, sending, done, refused">
        <Form action="Save" submit={() => NEVER} beside={<Button kind="quiet">Beside</Button>}>
          <Field name="name" label="Name" required />
        </Form>
        <Sent>
          <Form action="Save" submit={() => NEVER} />
        </Sent>
        <Sent>
          <Form action="Save" kind="quiet" done="Saved." submit={() => Promise.resolve()} />
        </Sent>
        <Sent>
          <Form action="Delete" kind="danger" submit={() => Promise.reject(refusal(400))} />
        </Sent>
      </Part>
      <Part title="Loading, empty, failed">
        <Skeleton lines={3} />
        <EmptyState title="Nothing yet" action={<Button>Begin</Button>}>
          Says what to do.
        </EmptyState>
        <ErrorState error={offline} retry={() => {}} />
        <ErrorState error={refusal(404)} retry={() => {}} />
      </Part>
      <Part title="Facts, items, timeline">
        <Facts
          facts={[
            { name: 'Name', value: 'Maya' },
            { name: 'Since', value: <Moment date={NOW} /> },
          ]}
        />
        <ItemList
          items={rows.map(({ id, name }) => ({
            key: id,
            title: name,
            detail: 'Detail',
            action: <Button kind="quiet">Act</Button>,
          }))}
        />
        <Timeline
          label="Steps"
          steps={[
            { title: 'Requested', date: NOW, state: 'done' },
            { title: 'Failed', date: NOW, state: 'bad', isCurrent: true },
            { title: 'Paid', date: null, state: 'ahead' },
          ]}
        />
      </Part>
      <Part title="Views, filters, pages">
        <Segmented label="Views" options={views} current="b" hrefOf={hrefOf} />
        <FilterBar
          address={address}
          search="Search"
          filters={[{ name: 'state', label: 'State', options }]}
          dates
          numbers={[{ name: 'min', label: 'At least' }]}
          sorts={options}
        />
        <Pager label="Pages" page={2} pages={9} hrefOf={hrefOf} />
      </Part>
      <Part title="Table, selection, chart">
        <DataTable
          {...{ columns, rows, sorting, selection }}
          caption="Rows"
          keyOf={({ id }) => id}
          hrefOf={hrefOf}
        />
        <DataTable
          stale
          columns={columns}
          rows={rows.slice(1)}
          caption="Stale"
          keyOf={({ id }) => id}
        />
        <Chart
          label="By day"
          days={days}
          values={days.map((_, i) => (i % 11 === 5 ? null : Math.round(40 + 30 * Math.sin(i / 3))))}
          format={String}
          formatTick={String}
          isWhole
        />
      </Part>
      {[
        idle,
        { ...idle, error: offline },
        { ...idle, data: { items: [], pages: 0 } },
        { ...idle, data: { items: rows, pages: 3 } },
      ].map((list, i) => (
        <Listing
          key={i}
          {...{ address, list, columns }}
          caption="Rows"
          keyOf={({ id }) => id}
          filters={[]}
          empty={<EmptyState title="No rows">Add one.</EmptyState>}
        />
      ))}
      <Part title="Icons">
        <div class="dev-row">
          {Object.entries(icons).map(([name, Icon]) => (
            <Icon key={name} aria-label={name} />
          ))}
        </div>
      </Part>
      <SelectionBar selection={selection}>
        <Button kind="danger">Delete</Button>
      </SelectionBar>
      {isOpen && (
        <Dialog title="A dialog" onClose={() => setOpen(false)}>
          <p>Covers the screen, on a phone all of it.</p>
          <Form action="Save" submit={() => NEVER}>
            <Field name="dialog-name" label="Name" required />
          </Form>
        </Dialog>
      )}
    </main>
  );
}

useWords('en', await load.en(), { affiliateWord: 'affiliate' });
await reloadProgram();
render(<Components />, document.getElementById('app')!);
