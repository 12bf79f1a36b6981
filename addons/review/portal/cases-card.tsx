import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { OwnCase } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { formatDate, formatMoney } from '../../../web/format.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { isSuspended, useSession } from '../../../web/session.ts';
import { Card } from '../../../web/ui/card.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { AreaField } from '../../../web/ui/field.tsx';
import { FileField } from '../../../web/ui/file-field.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { ItemList } from '../../../web/ui/item-list.tsx';
import { Pill, type PillKind } from '../../../web/ui/pill.tsx';
import { smallerPicture } from '../../../web/ui/smaller-picture.ts';
import { t } from '../../../web/words.ts';

/** The newest are enough: the orders themselves say what became of them. */
const SHOWN = 10;

const kinds: Record<OwnCase['state'], PillKind> = {
  open: 'warn',
  cleared: 'good',
  rejected: 'bad',
};

/** What the store checks before it pays, with a way to answer. Nothing for most affiliates. */
export function CasesCard() {
  const { me, isView } = useSession();
  const { id } = me.user;
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState<File>();
  const { get, hrefOf } = useAddress('/app/money');
  const { data } = useData('cases', { id, per_page: SHOWN }, ({ per_page }) =>
    api.affiliates.cases.list(id, { per_page }),
  );
  if (!data || data.items.length === 0) return null;
  const canAnswer = ({ may_answer }: OwnCase) => may_answer && !isView && !isSuspended.value;
  const answering = data.items.find((one) => canAnswer(one) && String(one.id) === get('case'));
  const close = () => navigate(hrefOf({ case: undefined }), { replace: true });
  return (
    <Card title={t('portal-money.cases.title')}>
      <ItemList
        items={data.items.map((one) => ({
          key: one.id,
          title: (
            <>
              {titleOf(one)}{' '}
              <Pill kind={kinds[one.state]}>{t(`portal-money.cases.state.${one.state}`)}</Pill>
            </>
          ),
          detail: sentencesOf(one).join(' '),
          action: canAnswer(one) && (
            <Link class="button" data-kind="quiet" href={hrefOf({ case: String(one.id) })}>
              {t('portal-money.cases.answer')}
            </Link>
          ),
        }))}
      />
      {answering && (
        <Dialog title={t('portal-money.cases.answerTitle')} onClose={close}>
          <p>{answering.explanation}</p>
          <p class="muted">{t('portal-money.cases.answerText')}</p>
          <Form
            action={t('portal-money.cases.send')}
            submit={async ({ text = '' }, options) => {
              const content = chosen && (await smallerPicture(chosen));
              const file = content && { name: content.name, content };
              await api.cases.answer(answering.id, { text, ...(file && { file }) }, options);
              close();
              await refresh('cases');
            }}
          >
            <AreaField
              name="text"
              label={t('portal-money.cases.answerField')}
              rows={5}
              maxLength={5000}
              required
            />
            <FileField
              name="file"
              label={t('portal-money.cases.file')}
              hint={t('portal-money.cases.fileHint')}
              accept="application/pdf,image/jpeg,image/png,image/webp,image/gif"
              onFiles={([file]) => setChosen(file)}
            />
          </Form>
        </Dialog>
      )}
    </Card>
  );
}

function titleOf({ subject }: OwnCase): string {
  return subject.type === 'order'
    ? t('portal-money.cases.order', { id: String(subject.id) })
    : t('portal-money.cases.account');
}

function sentencesOf(one: OwnCase): string[] {
  const { date, date_decided, held, note, answer, answer_file } = one;
  const day = (at: string) => formatDate(at, 'day');
  return [
    one.explanation,
    held > 0 && `${t('portal-money.cases.held', { amount: formatMoney(held) })}.`,
    date_decided === null
      ? `${t('portal-money.cases.since', { date: day(date) })}.`
      : `${t('portal-money.cases.decided', { date: day(date_decided) })}.`,
    note !== '' && t('portal-money.cases.note', { text: note }),
    answer !== null && t('portal-money.cases.answered', { text: answer }),
    answer_file !== null && t('portal-money.cases.fileSent', { name: answer_file.name }),
  ].filter((sentence) => sentence !== false);
}
