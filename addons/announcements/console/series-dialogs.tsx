import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Series, SeriesMember, SeriesPreview } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import type { Address } from '../../../web/frame/address.ts';
import { Card } from '../../../web/ui/card.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { PlainText } from '../../../web/ui/plain-text.tsx';
import { t } from '../../../web/words.ts';
import { SERIES_PATH } from './announcement-tabs.tsx';
import { ReadAs } from './preview.tsx';
import { saveSteps, SeriesForm, StepForm } from './series-form.tsx';

interface OwnDialogProps {
  series: Series;
  onClose(): void;
}

interface SeriesDialogProps extends OwnDialogProps {
  /** The people that the list shows. */
  members: readonly SeriesMember[];
  address: Address;
}

/** The dialog that the address names. */
export function SeriesDialog({ series, members, address, onClose }: SeriesDialogProps) {
  const open = address.oneOf('open', ['edit', 'step', 'delete', 'preview', 'member']);
  if (open === 'edit') return <SeriesForm series={series} onClose={onClose} onDone={onClose} />;
  if (open === 'preview') return <Preview series={series} onClose={onClose} />;
  if (open === 'delete') return <DeleteSeries series={series} onClose={onClose} />;
  if (open === 'member') {
    const member = members.find(({ user_id }) => String(user_id) === address.get('member'));
    if (member?.state !== 'waiting') return null;
    return <TakeOut series={series} member={member} onClose={onClose} />;
  }
  if (open !== 'step') return null;
  const step = series.steps.find(({ id }) => String(id) === address.get('step'));
  return (
    <StepForm
      series={series}
      step={step}
      onClose={onClose}
      below={
        step && (
          <Form
            kind="danger"
            action={t('console-announcements.series.removeStep')}
            submit={async (_values, options) => {
              await saveSteps(
                series,
                series.steps.filter((one) => one !== step),
                options,
              );
              onClose();
            }}
          />
        )
      }
    />
  );
}

function DeleteSeries({ series: { id, active }, onClose }: OwnDialogProps) {
  const [, navigate] = useLocation();
  if (active) return null;
  return (
    <Dialog title={t('console-announcements.series.deleteTitle')} onClose={onClose}>
      <p>{t('console-announcements.series.deleteText')}</p>
      <Form
        kind="danger"
        action={t('console-announcements.delete')}
        submit={async (_values, options) => {
          await api.series.delete(id, options);
          navigate(SERIES_PATH, { replace: true });
          await refresh('mail-series');
        }}
      />
    </Dialog>
  );
}

function TakeOut({
  series: { id },
  member: { user_id, name },
  onClose,
}: OwnDialogProps & { member: SeriesMember }) {
  return (
    <Dialog title={t('console-announcements.series.takeOutTitle', { name })} onClose={onClose}>
      <p>{t('console-announcements.series.takeOutText')}</p>
      <Form
        kind="danger"
        action={t('console-announcements.series.takeOut')}
        submit={async (_values, options) => {
          await api.series.members.delete(id, user_id, options);
          onClose();
          await refresh('mail-series');
        }}
      />
    </Dialog>
  );
}

/** What one affiliate gets, and when. */
function Preview({ series: { id }, onClose }: OwnDialogProps) {
  const [preview, setPreview] = useState<SeriesPreview | undefined>();
  return (
    <Dialog isWide title={t('console-announcements.series.preview')} onClose={onClose}>
      <ReadAs onShow={async (user) => setPreview(await api.series.preview.get(id, user))} />
      {preview && (
        <>
          {preview.muted && <p class="muted">{t('console-announcements.series.isMuted')}</p>}
          {preview.steps.map((step) => (
            <Card key={step.id} title={formatDate(step.date, 'exact')}>
              {step.state && <p>{t(`console-announcements.receiver.${step.state}`)}</p>}
              <p class="announcement-subject" lang={step.language}>
                {step.subject}
              </p>
              <PlainText text={step.text} lang={step.language} />
            </Card>
          ))}
        </>
      )}
    </Dialog>
  );
}
