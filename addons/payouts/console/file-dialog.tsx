import { useState } from 'preact/hooks';
import { TributaryError } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { formatMoney } from '../../../web/format.ts';
import { useSession } from '../../../web/session.ts';
import { Button } from '../../../web/ui/button.tsx';
import { Choice } from '../../../web/ui/choice.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { saveFile } from '../../../web/ui/download-button.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { SwitchField } from '../../../web/ui/switch-field.tsx';
import { t } from '../../../web/words.ts';
import { ProblemList, type Problem } from './problem-list.tsx';
import { leaveOut, sumOf, type Chosen } from './selection.ts';

/** The payout method that each kind of file pays. */
const methods = {
  sepa: 'banktransfer',
  bank: 'banktransfer',
  paypal: 'paypal',
  wise: 'wise',
} as const;
type Format = keyof typeof methods;
const all: readonly Format[] = ['sepa', 'bank', 'paypal', 'wise'];

interface FileDialogProps {
  payouts: readonly Chosen[];
  onClose(): void;
}

/** Makes the file with which the chosen payouts are paid at the bank. */
export function FileDialog({ payouts, onClose }: FileDialogProps) {
  const { currency } = useSession().program;
  // SEPA transfers are in euros.
  const formats = all.filter((format) => format !== 'sepa' || currency === 'EUR');
  const approved = payouts.filter(({ status }) => status === 'created');
  const of = (format: Format) => approved.filter(({ method }) => method === methods[format]);
  const [wanted, setWanted] = useState<Format>();
  const format = wanted ?? formats.find((known) => of(known).length > 0) ?? formats[0]!;
  return (
    <Dialog isWide title={t('console-payouts.file.title')} onClose={onClose}>
      {approved.length === 0 ? (
        <EmptyState
          of="console-payouts.file.none"
          action={
            <Button kind="quiet" onClick={onClose}>
              {t('common.close')}
            </Button>
          }
        />
      ) : (
        <>
          <Choice
            name="format"
            legend={t('console-payouts.file.format')}
            current={format}
            options={formats.map((value) => ({
              value,
              label: t(`console-payouts.format.${value}`),
              hint: t('console-payouts.file.suits', { count: of(value).length }),
            }))}
            // The options are the formats.
            onChoose={(value) => setWanted(value as Format)}
          />
          {of(format).length > 0 && (
            <MakeFile
              key={format}
              format={format}
              payouts={of(format)}
              left={payouts.length - of(format).length}
            />
          )}
        </>
      )}
    </Dialog>
  );
}

interface MakeFileProps {
  format: Format;
  payouts: readonly Chosen[];
  /** How many of the chosen payouts are not in the file. */
  left: number;
}

function MakeFile({ format, payouts, left }: MakeFileProps) {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const isInFile = problems.some(({ code }) => code === IN_FILE);
  return (
    <>
      {left > 0 && <p class="muted">{t('console-payouts.file.left', { count: left })}</p>}
      <ProblemList
        title={t('console-payouts.file.refused', { count: problems.length })}
        problems={problems}
        payouts={payouts}
        onLeaveOut={(ids) => {
          leaveOut(ids);
          setProblems([]);
        }}
      />
      <Form
        action={t('console-payouts.file.make', {
          count: payouts.length,
          amount: formatMoney(sumOf(payouts)),
        })}
        done={t('console-payouts.file.done')}
        submit={async ({ again }, options) => {
          try {
            const ids = payouts.map(({ id }) => id);
            const input = { format, ids, again: again === 'on' };
            const file = await api.payouts.files.create(input, options);
            saveFile(new Blob([file.content], { type: file.content_type }), file.name);
            setProblems([]);
            await refresh('payouts');
          } catch (error) {
            setProblems(problemsOf(error));
            throw error;
          }
        }}
      >
        <p class="muted">{t(`console-payouts.file.text.${format}`)}</p>
        {isInFile && (
          <SwitchField
            name="again"
            label={t('console-payouts.file.again')}
            hint={t('console-payouts.file.againHint')}
            isOn={false}
          />
        )}
      </Form>
    </>
  );
}

const IN_FILE = 'svc_api_payout_in_file';

/** Why each payout cannot be in the file; empty if the refusal is about something else. */
function problemsOf(error: unknown): readonly Problem[] {
  if (!(error instanceof TributaryError) || error.code !== 'svc_api_not_payable') return [];
  // The contract of this code.
  return (error.data as { problems?: readonly Problem[] }).problems ?? [];
}
