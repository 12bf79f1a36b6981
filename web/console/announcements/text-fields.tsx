import { languages } from '../../../src/shared/languages.ts';
import type { Announcement } from '../../../sdk/src/index.ts';
import { ownNames } from '../../language-names.ts';
import { Card } from '../../ui/card.tsx';
import { AreaField, Field } from '../../ui/field.tsx';
import type { FormValues } from '../../ui/form.tsx';
import { t } from '../../words.ts';

type Texts = Announcement['texts'];

const placeholders = {
  name: '{{name}}',
  code: '{{coupon_code}}',
  link: '{{referral_url}}',
};

/** Subject and text in each language: that of the first is needed, the others are folded. */
export function TextsFields({ texts, path = 'texts' }: { texts: Texts; path?: string }) {
  const [first = 'en', ...others] = languages.toSorted(
    (a, b) => Number(texts[b] !== undefined) - Number(texts[a] !== undefined),
  );
  return (
    <>
      <TextFields language={first} texts={texts} path={path} isRequired />
      {others.map((language) => (
        <details key={language} open={texts[language] !== undefined}>
          <summary>{t('console-announcements.also', { language: ownNames[language] })}</summary>
          <TextFields language={language} texts={texts} path={path} />
        </details>
      ))}
    </>
  );
}

interface TextFieldsProps {
  language: (typeof languages)[number];
  texts: Texts;
  /** Where the service finds them in what is sent, for its errors. */
  path: string;
  isRequired?: boolean;
}

function TextFields({ language, texts, path, isRequired = false }: TextFieldsProps) {
  const text = texts[language];
  const own = ownNames[language];
  return (
    <>
      <Field
        name={`${path}.${language}.subject`}
        label={`${t('console-announcements.subject')} (${own})`}
        maxLength={200}
        required={isRequired}
        defaultValue={text?.subject ?? ''}
      />
      <AreaField
        name={`${path}.${language}.text`}
        label={`${t('console-announcements.text')} (${own})`}
        hint={t('console-announcements.textHint', placeholders)}
        rows={8}
        maxLength={10_000}
        required={isRequired}
        value={text?.text ?? ''}
      />
    </>
  );
}

/** The texts of the languages in which something was written. */
export function textsIn(values: FormValues, path = 'texts'): Texts {
  const given = (name: string) => values[name]?.trim() || undefined;
  const written = languages
    .map((one) => [one, given(`${path}.${one}.subject`), given(`${path}.${one}.text`)] as const)
    .filter(([, subject, text]) => subject !== undefined || text !== undefined)
    .map(([one, subject = '', text = '']) => [one, { subject, text }]);
  return Object.fromEntries(written) as Texts;
}

/** The texts of an announcement, a card for each language. */
export function WrittenTexts({ texts }: { texts: Texts }) {
  return languages.map((language) => {
    const text = texts[language];
    return (
      text && (
        <Card key={language} title={ownNames[language]}>
          <p>
            <strong>{text.subject}</strong>
          </p>
          <p class="announcement-text" lang={language}>
            {text.text}
          </p>
        </Card>
      )
    );
  });
}
