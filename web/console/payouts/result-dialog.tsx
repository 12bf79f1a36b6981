import { useState } from 'preact/hooks';
import type { PayoutResults } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { formatMoney } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { Money } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';

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

/** Nothing is changed here: the file is compared with the payouts. */
function ChooseFile({ onRead }: ChooseFileProps) {
  const [chosen, setChosen] = useState<ResultFile>();
  const read = async (given: File | undefined) => {
    if (!given) return;
    const content = await given.text();
    setChosen({ name: given.name, content, format: formatOf(content) });
  };
  return (
    <Form
      action={t('console-payouts.result.check')}
      submit={async (_values, options) => {
        if (!chosen) return;
        const { format, content } = chosen;
        const preview = await api.payouts.results.create(
          { format, content, dry_run: true },
          options,
        );
        onRead(chosen, preview);
      }}
    >
      <p>{t('console-payouts.result.text')}</p>
      <Field
        name="result_file"
        type="file"
        accept=".csv,.txt,.xml,text/csv,text/xml"
        label={t('console-payouts.result.file')}
        required
        onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
      />
      {chosen && (
        <SelectField
          name="format"
          label={t('console-payouts.result.format')}
          required
          value={chosen.format}
          options={formats.map((value) => ({
            value,
            label: t(`console-payouts.resultFormat.${value}`),
          }))}
          onChange={({ currentTarget }) =>
            // The options are the formats.
            setChosen({ ...chosen, format: currentTarget.value as Format })
          }
        />
      )}
    </Form>
  );
}

/** By the beginning of the file. The person can choose another format. */
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

/** What the file says about each payout. With a mismatch nothing can be changed. */
function Preview({ file, preview, onBack, onChanged, onDone }: PreviewProps) {
  const { matched, unpaid, mismatches } = preview;
  const another = (
    <Button kind="quiet" onClick={onBack}>
      {t('console-payouts.result.another')}
    </Button>
  );
  return (
    <>
      <p class="muted">{t('console-payouts.result.chosen', { name: file.name })}</p>
      {mismatches.length > 0 && (
        <section class="stack" aria-labelledby="mismatches-title">
          <Notice kind="warn">
            <strong id="mismatches-title">
              {t('console-payouts.result.mismatches', { count: mismatches.length })}
            </strong>{' '}
            {t('console-payouts.result.mismatchText')}
          </Notice>
          <ItemList
            items={mismatches.map((mismatch, position) => ({
              key: position,
              title: titleOf(mismatch),
              detail: t(`console-payouts.mismatch.${mismatch.code}`),
            }))}
          />
        </section>
      )}
      {matched.length > 0 && (
        <details class="review-done" open={mismatches.length === 0 && matched.length <= 12}>
          <summary>{t('console-payouts.result.matched', { count: matched.length })}</summary>
          <ItemList
            items={matched.map(({ payout_id, amount, transaction_id: reference }) => ({
              key: payout_id,
              title: t('console-payouts.number', { id: String(payout_id) }),
              detail: reference,
              action: <Money amount={amount} />,
            }))}
          />
        </details>
      )}
      {unpaid.length > 0 && (
        <section class="stack" aria-labelledby="unpaid-title">
          <h3 id="unpaid-title">{t('console-payouts.result.unpaid', { count: unpaid.length })}</h3>
          <ItemList
            items={unpaid.map(({ payout_id, amount, outcome }) => ({
              key: payout_id,
              title: t('console-payouts.number', { id: String(payout_id) }),
              detail: outcome,
              action: <Money amount={amount} />,
            }))}
          />
        </section>
      )}
      {matched.length > 0 && mismatches.length === 0 ? (
        <Form
          action={t('console-payouts.result.confirm', {
            count: matched.length,
            amount: formatMoney(preview.total),
          })}
          beside={another}
          submit={async (_values, options) => {
            const { format, content } = file;
            const result = await api.payouts.results.create({ format, content }, options);
            await refresh('payouts');
            if (result.applied) onDone(result);
            else onChanged(result);
          }}
        />
      ) : (
        <div class="dialog-actions">{another}</div>
      )}
    </>
  );
}

function titleOf({ payout_id, reference }: PayoutResults['mismatches'][number]): string {
  return payout_id === null
    ? t('console-payouts.result.line', { reference })
    : t('console-payouts.number', { id: String(payout_id) });
}
