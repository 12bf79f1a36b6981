import { useState } from 'preact/hooks';
import type { OwnPersonalPage } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { isSuspended, useSession } from '../../../web/session.ts';
import { Card } from '../../../web/ui/card.tsx';
import { CopyButton } from '../../../web/ui/copy-button.tsx';
import { AreaField, Field } from '../../../web/ui/field.tsx';
import { FileField } from '../../../web/ui/file-field.tsx';
import { Form, type FormValues } from '../../../web/ui/form.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { ShareButton } from '../../../web/ui/share-button.tsx';
import { SwitchField } from '../../../web/ui/switch-field.tsx';
import { currentLanguage, t } from '../../../web/words.ts';
import './personal-page.css';

/** The page that the affiliate shows visitors: its address, what became of it, and what is on it. */
export function PersonalPage() {
  const { me, program, isView } = useSession();
  const { id } = me.user;
  const { data } = useData('personal-pages', { id }, () => api.affiliates.personalPage(id));
  if (!data?.enabled) return null;
  const mayChange = !isView && !isSuspended.value;
  return (
    <Card title={t('portal-links.own.title')}>
      <p class="muted">{t('portal-links.own.text')}</p>
      <State page={data} />
      {data.shown && data.url && (
        <div class="links-result">
          <a class="link-text" href={data.url} target="_blank">
            {data.url}
          </a>
          <div class="link-actions">
            <CopyButton text={data.url} label={t('portal-links.own.copy')} />
            <ShareButton url={data.url} title={program.name} />
          </div>
        </div>
      )}
      {mayChange && <PageForm key={data.proposed?.id ?? data.shown?.id} page={data} userId={id} />}
    </Card>
  );
}

/** What became of what the affiliate wrote last. */
function State({ page: { shown, proposed } }: { page: OwnPersonalPage }) {
  if (proposed?.state === 'waiting') {
    const key = shown ? 'portal-links.own.waiting' : 'portal-links.own.waitingFirst';
    return <Notice kind="info">{t(key)}</Notice>;
  }
  if (proposed) {
    return (
      <Notice kind="warn">
        {t('portal-links.own.declined')} {proposed.reason}
      </Notice>
    );
  }
  return null;
}

function PageForm({ page, userId }: { page: OwnPersonalPage; userId: number }) {
  const { me } = useSession();
  const [file, setFile] = useState<File>();
  const last = page.proposed ?? page.shown;
  const submit = async (values: FormValues, options: object) => {
    const isRemoved = values['remove'] !== undefined;
    const picture = file && { name: file.name, content: file };
    const input = {
      name: values['name'] ?? '',
      text: values['text'] ?? '',
      language: currentLanguage(),
      ...((picture || isRemoved) && { picture: picture ?? null }),
    };
    await api.affiliates.personalPage.set(userId, input, options);
    await refresh('personal-pages');
  };
  return (
    <>
      <Form
        action={t(page.review ? 'portal-links.own.submit' : 'common.save')}
        submit={submit}
        errorOf={(field) => (field === 'picture' ? t('portal-links.own.pictureFault') : undefined)}
      >
        <Field
          name="name"
          label={t('portal-links.own.name')}
          hint={t('portal-links.own.nameHint')}
          autocomplete="off"
          required
          maxLength={100}
          defaultValue={last?.name ?? me.user.display_name}
        />
        <AreaField
          name="text"
          label={t('portal-links.own.words')}
          hint={t('portal-links.own.wordsHint')}
          rows={5}
          maxLength={2000}
          value={last?.text ?? ''}
        />
        {last?.picture && (
          <div class="own-picture">
            <img src={new URL(last.picture).pathname} alt={t('portal-links.own.pictureNow')} />
            <SwitchField name="remove" label={t('portal-links.own.removePicture')} isOn={false} />
          </div>
        )}
        <FileField
          name="picture"
          label={t('portal-links.own.picture')}
          hint={t('portal-links.own.pictureHint')}
          accept="image/jpeg,image/png,image/webp,image/gif"
          onFiles={([chosen]) => setFile(chosen)}
        />
      </Form>
      {last && (
        <Form
          kind="danger"
          action={t('portal-links.own.delete')}
          submit={async (_values, options) => {
            await api.affiliates.personalPage.delete(userId, options);
            await refresh('personal-pages');
          }}
        >
          <p class="muted">{t('portal-links.own.deleteText')}</p>
        </Form>
      )}
    </>
  );
}
