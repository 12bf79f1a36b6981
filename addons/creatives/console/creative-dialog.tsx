import { useState } from 'preact/hooks';
import type { Creative } from '../../../sdk/src/index.ts';
import { languages } from '../../../src/shared/languages.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { AreaField, Field, SelectField } from '../../../web/ui/field.tsx';
import { FileField } from '../../../web/ui/file-field.tsx';
import { Form, type FormValues } from '../../../web/ui/form.tsx';
import { SwitchField } from '../../../web/ui/switch-field.tsx';
import { t } from '../../../web/words.ts';
import { AffiliatesField, type ChosenAffiliate } from './affiliates-field.tsx';

export const kinds = ['image', 'text', 'email', 'file', 'link'] as const;
type Kind = (typeof kinds)[number];

const IMAGES = 'image/jpeg,image/png,image/webp,image/gif';

interface CreativeDialogProps {
  /** The one to change; a new one without it. */
  creative?: Creative;
  onClose: () => void;
}

export function CreativeDialog({ creative, onClose }: CreativeDialogProps) {
  const [chosen, setKind] = useState<Kind>('image');
  const [file, setFile] = useState<File>();
  const [affiliates, setAffiliates] = useState<readonly ChosenAffiliate[]>(
    () => creative?.affiliates.map((id, i) => ({ id, name: creative.affiliate_names[i]! })) ?? [],
  );
  const { data: groups } = useData('groups', { per_page: 100 }, (input) => api.groups.list(input));
  const kind = creative?.kind ?? chosen;
  const title = creative ? creative.name : t('console-creatives.createTitle');
  const submit = async (values: FormValues, options: object) => {
    const content = file && { content: file, file_name: file.name };
    const input = {
      ...fieldsOf(values, groups?.items ?? []),
      affiliates: affiliates.map(({ id }) => id),
      ...content,
    };
    if (creative) await api.creatives.update(creative.id, input, options);
    else await api.creatives.create({ ...input, kind }, options);
    await refresh('creatives');
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {creative?.file && (
        <a class="creative-preview" href={new URL(creative.file.url).pathname} target="_blank">
          {creative.file.thumbnail ? (
            <img src={new URL(creative.file.thumbnail).pathname} alt={creative.alt} />
          ) : (
            creative.file.name
          )}
        </a>
      )}
      <Form action={t('console-creatives.save')} showsReasons submit={submit}>
        {!creative && (
          <SelectField
            name="kind"
            label={t('console-creatives.kind')}
            required
            value={kind}
            options={kinds.map((one) => ({
              value: one,
              label: t(`console-creatives.kind.${one}`),
            }))}
            onChange={(event) =>
              setKind(kinds.find((one) => one === event.currentTarget.value) ?? 'image')
            }
          />
        )}
        <Field
          name="name"
          label={t('console-creatives.name')}
          defaultValue={creative?.name ?? ''}
          autocomplete="off"
          required
          maxLength={100}
        />
        {(kind === 'image' || kind === 'file') && (
          <FileField
            name="content"
            label={t('console-creatives.file')}
            hint={t(
              kind === 'image' ? 'console-creatives.imageHint' : 'console-creatives.fileHint',
            )}
            accept={kind === 'image' ? IMAGES : `${IMAGES},.pdf,.zip,.mp4,.txt,.csv`}
            required={!creative}
            onFiles={([one]) => setFile(one)}
          />
        )}
        {kind === 'image' && (
          <Field
            name="alt"
            label={t('console-creatives.alt')}
            hint={t('console-creatives.altHint')}
            defaultValue={creative?.alt ?? ''}
            required
            maxLength={300}
          />
        )}
        {(kind === 'text' || kind === 'email') && (
          <AreaField
            name="text"
            label={t('console-creatives.text')}
            hint={t('console-creatives.textHint', { link: '{link}', code: '{code}' })}
            value={creative?.text ?? ''}
            rows={6}
            required
            maxLength={10_000}
          />
        )}
        <Field
          name="url"
          label={t('console-creatives.url')}
          hint={t('console-creatives.urlHint')}
          defaultValue={creative?.url ?? ''}
          inputMode="url"
          autocomplete="off"
          maxLength={2000}
        />
        <Field
          name="category"
          label={t('console-creatives.category')}
          defaultValue={creative?.category ?? ''}
          autocomplete="off"
          maxLength={50}
        />
        <Field
          name="description"
          label={t('console-creatives.description')}
          defaultValue={creative?.description ?? ''}
          autocomplete="off"
          maxLength={500}
        />
        <SelectField
          name="language"
          label={t('console-creatives.language')}
          value={creative?.language ?? ''}
          options={[
            { value: '', label: t('console-creatives.anyLanguage') },
            ...languages.map((one) => ({ value: one, label: languageName(one) })),
          ]}
        />
        <Field
          name="from"
          type="date"
          label={t('console-creatives.from')}
          defaultValue={creative?.from ?? ''}
        />
        <Field
          name="to"
          type="date"
          label={t('console-creatives.to')}
          defaultValue={creative?.to ?? ''}
        />
        {groups && groups.items.length > 0 && (
          <fieldset class="field">
            <legend>{t('console-creatives.groups')}</legend>
            <p class="field-hint">{t('console-creatives.groupsHint')}</p>
            {groups.items.map(({ id, name }) => (
              <SwitchField
                key={id}
                name={`group-${id}`}
                label={name}
                isOn={creative?.groups.includes(name) ?? false}
              />
            ))}
          </fieldset>
        )}
        <AffiliatesField chosen={affiliates} onChange={setAffiliates} />
      </Form>
      {creative && (
        <Form
          kind="danger"
          action={t('console-creatives.delete')}
          submit={async (_values, options) => {
            await api.creatives.delete(creative.id, options);
            await refresh('creatives');
            onClose();
          }}
        >
          <p class="muted">{t('console-creatives.deleteText')}</p>
        </Form>
      )}
    </Dialog>
  );
}

/** Only the fields that the kind shows are sent; the others stay. */
function fieldsOf(
  { name = '', kind: _kind, content: _file, ...values }: FormValues,
  groups: readonly { id: number; name: string }[],
) {
  // Groups and the search of affiliates are no fields of the call.
  const own = Object.entries(values).filter(([field]) => !field.includes('-'));
  return {
    name,
    ...Object.fromEntries(own),
    language: languages.find((one) => one === values['language']) ?? ('' as const),
    from: values['from'] || null,
    to: values['to'] || null,
    groups: groups.filter(({ id }) => values[`group-${id}`] !== undefined).map((one) => one.name),
  };
}

function languageName(code: string): string {
  return new Intl.DisplayNames([document.documentElement.lang || 'en'], { type: 'language' }).of(
    code,
  )!;
}
