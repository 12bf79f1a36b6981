import { useState } from 'preact/hooks';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { AreaField } from '../../../web/ui/field.tsx';
import { FileField } from '../../../web/ui/file-field.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { smallerPicture } from '../../../web/ui/smaller-picture.ts';
import { t } from '../../../web/words.ts';

/** What the service takes; it looks at the content itself. */
const ACCEPT =
  'image/jpeg,image/png,image/webp,image/gif,application/pdf,application/zip,.mp4,.txt';

/** Writes the next message of a thread. */
export function Composer({ affiliateId }: { affiliateId: number }) {
  const [chosen, setChosen] = useState<readonly File[]>([]);
  return (
    <Form
      action={t('portal-messages.send')}
      clears
      errorOf={(field) => (field === 'files' ? t('portal-messages.filesRefused') : undefined)}
      submit={async ({ text = '' }, options) => {
        const small = await Promise.all(chosen.map(smallerPicture));
        const files = small.map((file) => ({ name: file.name, content: file }));
        const input = { text, ...(files.length > 0 && { files }) };
        await api.affiliates.messages.create(affiliateId, input, options);
        setChosen([]);
        await refresh('messages');
      }}
    >
      <AreaField
        name="text"
        label={t('portal-messages.text')}
        rows={4}
        maxLength={10_000}
        required
      />
      <FileField
        name="files"
        multiple
        accept={ACCEPT}
        label={t('portal-messages.files')}
        hint={t('portal-messages.filesHint')}
        onFiles={setChosen}
      />
    </Form>
  );
}
