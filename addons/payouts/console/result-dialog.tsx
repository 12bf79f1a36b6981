import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PayoutResults } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { formatMoney } from '../../../web/format.ts';
import { Button } from '../../../web/ui/button.tsx';
import { moneyColumn, textColumn } from '../../../web/ui/columns.tsx';
import { DataTable, type Column } from '../../../web/ui/data-table.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { SelectField } from '../../../web/ui/field.tsx';
import { FileField } from '../../../web/ui/file-field.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { Money } from '../../../web/ui/money.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { optionsOf } from '../../../web/ui/options.ts';
import { Pill, type PillKind } from '../../../web/ui/pill.tsx';
import { t } from '../../../web/words.ts';

const formats = ['csv', 'paypal', 'wise', 'sepa'] as const;
type Format = (typeof formats)[number];

interface ResultFile {
  readonly format: Format;
  readonly name: string;
  readonly content: string;
}

/** The file in which the bank says what it has paid: what it would do, then the change. */
export function ResultDialog({ onClose }: { onClose(): void }) {
  const [file, setFile] = useState<ResultFile>();
  const [preview, setPreview] = useState<PayoutResults>();
  const [done, setDone] = useState<PayoutResults>();
  return (
    <Dialog isWide title={t('console-payouts.result.title')} onClose={onClose}>
      {done ? (
        <>
          <Notice kind="good">
            {t('console-payouts.result.done', { count: done.matched.length })}
          </Notice>
          <div class="dialog-actions">
            <Button onClick={onClose}>{t('common.close')}</Button>
          </div>
        </>
      ) : preview && file ? (
        <Preview
          file={file}
          preview={preview}
          onBack={() => setPreview(undefined)}
          onChanged={setPreview}
          onDone={setDone}
        />
      ) : (
        <ChooseFile
          onRead={(read, result) => {
            setFile(read);
            setPreview(result);
          }}
        />
      )}
    </Dialog>
  );
}

interface ChooseFileProps {
  onRead(file: ResultFile, preview: PayoutResults): void;
}

/** Compares a file with the payouts as soon as it is chosen. Nothing is changed here. */
function ChooseFile({ onRead }: ChooseFileProps) {
  const chosen = useRef<ResultFile | undefined>(undefined);
  const [format, setFormat] = useState<Format>();
  const read = async (file: File, form: HTMLFormElement) => {
    const content = await file.text();
    chosen.current = { name: file.name, content, format: formatOf(content) };
    setFormat(chosen.current.format);
    form.requestSubmit();
  };
  return (
    <Form
      action={t('console-payouts.result.check')}
      showsReasons
      submit={async (_values, options) => {
        const { format: known, content } = chosen.current!;
        const input = { format: known, content, dry_run: true };
        onRead(chosen.current!, await api.payouts.results.create(input, options));
      }}
    >
      <p>{t('console-payouts.result.text')}</p>
      <FileField
        name="content"
        required
        accept=".csv,.txt,.xml,text/csv,text/xml"
        label={t('console-payouts.result.file')}
        onFiles={([file], form) => file && void read(file, form!)}
      />
      {format && (
        <SelectField
          name="format"
          label={t('console-payouts.result.format')}
          required
          value={format}
          options={optionsOf(formats, (value) => t(`console-payouts.resultFormat.${value}`))}
          onChange={({ currentTarget }) => {
            // The options are the formats.
            chosen.current = { ...chosen.current!, format: currentTarget.value as Format };
          }}
        />
      )}
    </Form>
  );
}

/** By the beginning of the file. If that is wrong, the file is refused and the person chooses another format. */
function formatOf(content: string): Format {
  if (content.trimStart().startsWith('<')) return 'sepa';
  const header = content.trimStart().split('\n', 1)[0]!.toLowerCase();
  if (header.includes('payout_id')) return 'csv';
  return header.includes('customer id') ? 'paypal' : 'wise';
}

interface PreviewProps {
  file: ResultFile;
  preview: PayoutResults;
  onBack(): void;
  /** The payouts have changed since the comparison. */
  onChanged(result: PayoutResults): void;
  onDone(result: PayoutResults): void;
}

/** What the file says about each payout. The key A accepts all that match. */
function Preview({ file, preview, onBack, onChanged, onDone }: PreviewProps) {
  const { matched, mismatches } = preview;
  const accept = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const press = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (key !== 'a' || ctrlKey || metaKey || altKey) return;
      accept.current?.querySelector('form')?.requestSubmit();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const another = (
    <Button kind="quiet" onClick={onBack}>
      {t('console-payouts.result.another')}
    </Button>
  );
  return (
    <>
      <p class="muted">{t('console-payouts.result.chosen', { name: file.name })}</p>
      {mismatches.length > 0 && (
        <Notice kind="warn">
          <strong>{t('console-payouts.result.mismatches', { count: mismatches.length })}</strong>{' '}
          {t('console-payouts.result.mismatchText')}
        </Notice>
      )}
      <DataTable
        caption={t('console-payouts.result.title')}
        rows={linesOf(preview)}
        keyOf={({ line }) => line}
        columns={columns()}
      />
      {matched.length > 0 ? (
        <div ref={accept} aria-keyshortcuts="A">
          <Form
            action={t('console-payouts.result.confirm', {
              count: matched.length,
              amount: formatMoney(preview.total),
            })}
            beside={another}
            submit={async (_values, options) => {
              const { format, content } = file;
              // What was shown as a mismatch was accepted as one; a new one is shown first.
              const only_matching = mismatches.length > 0;
              const input = { format, content, only_matching };
              const result = await api.payouts.results.create(input, options);
              await refresh('payouts');
              if (result.applied) onDone(result);
              else onChanged(result);
            }}
          >
            <p class="muted">{t('console-payouts.result.key')}</p>
          </Form>
        </div>
      ) : (
        <div class="dialog-actions">{another}</div>
      )}
    </>
  );
}

/** A line of the file beside the payout that it names. */
interface ComparedLine {
  readonly line: number;
  readonly title: string;
  readonly expected: number | null;
  readonly found: number | null;
  readonly kind: PillKind;
  readonly state: string;
  readonly detail: string;
}

/** What needs a person comes first. */
function linesOf({ matched, unpaid, mismatches }: PayoutResults): ComparedLine[] {
  const titleOf = (id: number, name: string) =>
    t('console-payouts.payoutOf', { id: String(id), name });
  const right = (lines: PayoutResults['matched'], kind: PillKind, state: string) =>
    lines.map(({ line, payout_id, name, amount, outcome, objection, ...paid }) => ({
      line,
      title: titleOf(payout_id, name),
      expected: amount,
      found: amount,
      kind: objection === null ? kind : 'warn',
      state,
      detail: objection ?? (paid.transaction_id || outcome),
    }));
  return [
    ...mismatches.map(({ line, payout_id, name, reference, amount, found, code }) => ({
      line,
      title:
        payout_id === null
          ? t('console-payouts.result.line', { reference })
          : titleOf(payout_id, name ?? ''),
      expected: amount,
      found,
      kind: 'bad' as const,
      state: t('console-payouts.result.differs'),
      detail: t(`console-payouts.mismatch.${code}`),
    })),
    ...right(unpaid, 'warn', t('console-payouts.result.notPaid')),
    ...right(matched, 'good', t('console-payouts.result.matches')),
  ];
}

const columns = (): Column<ComparedLine>[] => [
  textColumn('payout', t('console-payouts.payout'), 'title', ({ title }) => title),
  {
    key: 'state',
    label: t('console-payouts.result.comparison'),
    phone: 'state',
    cell: ({ kind, state }) => <Pill kind={kind}>{state}</Pill>,
  },
  {
    key: 'detail',
    label: t('console-payouts.result.detail'),
    phone: 'detail',
    cell: ({ detail, expected, found }) => (
      <>
        {detail}
        {expected !== found && (
          <span class="phone-only">
            {' '}
            {t('console-payouts.result.expected')}: {amountOf(expected)}
          </span>
        )}
      </>
    ),
  },
  moneyColumn('expected', t('console-payouts.result.expected'), 'none', ({ expected }) => expected),
  moneyColumn('found', t('console-payouts.result.found'), 'aside', ({ found }) => found),
];

const amountOf = (amount: number | null) => (amount === null ? '–' : <Money amount={amount} />);
