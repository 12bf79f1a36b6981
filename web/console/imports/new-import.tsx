import { useRef, useState } from 'preact/hooks';
import type { CallOptions, ImportFiles, ImportStep } from '../../../sdk/src/index.ts';
import { affiliateSystems } from '../../../src/shared/affiliate-systems.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { formatMoney } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { textColumn } from '../../ui/columns.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { SelectField } from '../../ui/field.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import { formatNumber, t } from '../../words.ts';

const csvKinds = ['affiliates', 'coupons', 'orders'] as const;
const sources: readonly ImportFiles['source'][] = [...csvKinds, ...affiliateSystems];
/** A file is checked line by line. */
const CALL_MS = 120_000;
const BYTES_MAX = 2_000_000;

interface NewImportProps {
  onClose(): void;
  onDone(id: number): void;
}

/** Choose files, see what they would bring, import them. */
export function NewImport({ onClose, onDone }: NewImportProps) {
  const [input, setInput] = useState<ImportFiles>();
  const [checked, setChecked] = useState<ImportStep>();
  return (
    <Dialog isWide title={t('console-imports.new')} onClose={onClose}>
      {input && checked ? (
        <CheckedFiles
          input={input}
          checked={checked}
          onBack={() => setChecked(undefined)}
          onDone={onDone}
        />
      ) : (
        <ChooseFiles
          onChecked={(files, step) => {
            setInput(files);
            setChecked(step);
          }}
        />
      )}
    </Dialog>
  );
}

function ChooseFiles({ onChecked }: { onChecked(input: ImportFiles, step: ImportStep): void }) {
  const chosen = useRef<readonly File[]>([]);
  const [source, setSource] = useState<ImportFiles['source']>('affiliates');
  const [isTooLarge, setTooLarge] = useState(false);
  const isCsv = csvKinds.some((kind) => kind === source);
  return (
    <Form
      action={t('console-imports.check')}
      showsReasons
      submit={async ({ invite }, options) => {
        const bytes = chosen.current.reduce((sum, { size }) => sum + size, 0);
        setTooLarge(bytes > BYTES_MAX);
        if (bytes > BYTES_MAX) return;
        const files = chosen.current.map((file) => ({ name: file.name, content: file }));
        const input = { source, files, invite: invite !== undefined };
        onChecked(input, await call({ ...input, dry_run: true }, options));
      }}
    >
      <SelectField
        name="source"
        label={t('console-imports.source')}
        hint={
          isCsv ? t(`console-imports.columns.${source as 'orders'}`) : t('console-imports.guide')
        }
        required
        value={source}
        groups={[
          { label: t('console-imports.group.csv'), options: csvKinds.map(toOption) },
          { label: t('console-imports.group.system'), options: affiliateSystems.map(toOption) },
        ]}
        onChange={({ currentTarget }) =>
          setSource(sources.find((one) => one === currentTarget.value)!)
        }
      />
      <FileField
        name="files"
        required
        multiple
        accept=".csv,.json,.txt,text/csv,application/json"
        label={t('console-imports.files')}
        hint={t('console-imports.filesHint')}
        onFiles={(files) => {
          chosen.current = files;
        }}
      />
      {isTooLarge && <Notice kind="bad">{t('console-imports.tooLarge')}</Notice>}
      {!isCsv && (
        <SwitchField
          name="invite"
          label={t('console-imports.invite')}
          hint={t('console-imports.inviteHint')}
          isOn={false}
        />
      )}
    </Form>
  );
}

const toOption = (value: ImportFiles['source']) => ({
  value,
  label: t(`console-imports.source.${value}`),
});

const call = (input: ImportFiles, options: CallOptions) =>
  api.imports.create(input, { ...options, timeout: CALL_MS });

interface CheckedFilesProps {
  input: ImportFiles;
  checked: ImportStep;
  onBack(): void;
  onDone(id: number): void;
}

/** What the files would bring, and the import with its progress. */
function CheckedFiles({ input, checked, onBack, onDone }: CheckedFilesProps) {
  const [share, setShare] = useState<number>();
  const { counts, columns, lines, opening_balance: opening, currency } = checked;
  const toImport = counts.new + counts.changed;
  return (
    <>
      <Facts
        facts={[
          { name: t('console-imports.count.new'), value: formatNumber(counts.new) },
          counts.changed > 0 && {
            name: t('console-imports.count.changed'),
            value: formatNumber(counts.changed),
          },
          { name: t('console-imports.count.known'), value: formatNumber(counts.known) },
          counts.skipped > 0 && {
            name: t('console-imports.count.skipped'),
            value: formatNumber(counts.skipped),
          },
          { name: t('console-imports.count.refused'), value: formatNumber(counts.refused) },
          opening !== 0 && {
            name: t('console-imports.balance'),
            value: formatMoney(opening, currency),
          },
        ]}
      />
      {columns.map(({ name, lines: read, used, unused }) => (
        <section key={name} class="stack">
          <h3>{t('console-imports.fileLines', { name, count: read })}</h3>
          <Facts
            facts={[
              { name: t('console-imports.used'), value: used.join(', ') || '–' },
              unused.length > 0 && { name: t('console-imports.unused'), value: unused.join(', ') },
            ]}
          />
        </section>
      ))}
      <ImportedRates checked={checked} />
      {lines.length > 0 && (
        <DataTable
          caption={t('console-imports.reasons')}
          rows={lines}
          keyOf={({ file, line }) => `${file}:${line}`}
          columns={lineColumns()}
        />
      )}
      {share !== undefined && (
        <div class="stack">
          <label for="import-share">{t('console-imports.importing')}</label>
          <progress id="import-share" value={share} />
        </div>
      )}
      {toImport > 0 ? (
        <Form
          action={t('console-imports.start', { count: toImport })}
          showsReasons
          beside={<Back onBack={onBack} />}
          submit={async (_values, { idempotencyKey, ...options }) => {
            // Each request goes on where the last one ended.
            for (let part = 1; ; part += 1) {
              const key = idempotencyKey && `${idempotencyKey}-${part}`;
              const step = await call(input, { ...options, idempotencyKey: key });
              setShare(step.share);
              if (step.share < 1) continue;
              await refresh('imports', 'affiliates', 'coupons', 'orders', 'overview');
              onDone(step.import!.id);
              return;
            }
          }}
        />
      ) : (
        <>
          <Notice kind="warn">{t('console-imports.nothing')}</Notice>
          <div class="dialog-actions">
            <Back onBack={onBack} />
          </div>
        </>
      )}
    </>
  );
}

/** The reward rules that would be made, and what becomes of the other rates. */
function ImportedRates({ checked }: { checked: ImportStep }) {
  const { rules, standard_rate: standard, own_rates_unknown: isOwnUnknown } = checked;
  return (
    <>
      {rules.length > 0 && (
        <section class="stack">
          <h3>{t('console-imports.rules')}</h3>
          <ol class="stack">
            {rules.map(({ sentence, outcome, is_hidden: isHidden }) => (
              <li key={sentence}>
                {sentence}{' '}
                {outcome === 'known' && <Pill kind="plain">{t('console-imports.ruleKnown')}</Pill>}
                {isHidden && <Pill kind="warn">{t('console-imports.ruleHidden')}</Pill>}
              </li>
            ))}
          </ol>
          <p class="muted">{t('console-imports.rulesHint')}</p>
        </section>
      )}
      {standard !== null && (
        <Notice kind="info">{t('console-imports.standardRate', { sentence: standard })}</Notice>
      )}
      {isOwnUnknown && <Notice kind="info">{t('console-imports.ownRatesUnknown')}</Notice>}
    </>
  );
}

function Back({ onBack }: { onBack(): void }) {
  return (
    <Button type="button" kind="quiet" onClick={onBack}>
      {t('console-imports.another')}
    </Button>
  );
}

type Line = ImportStep['lines'][number];

const lineColumns = (): Column<Line>[] => [
  textColumn('line', t('console-imports.line'), 'title', ({ file, line }) =>
    t('console-imports.lineOf', { file, line: String(line) }),
  ),
  textColumn('outcome', t('console-imports.outcome'), 'state', ({ outcome }) =>
    t(`console-imports.outcome.${outcome}`),
  ),
  textColumn('message', t('console-imports.reason'), 'detail', ({ message }) => message),
];
