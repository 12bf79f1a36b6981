import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { languages, type Language } from '../../../src/shared/languages.ts';
import type { Announcement } from '../../../sdk/src/index.ts';
import { ownNames } from '../../../web/language-names.ts';
import { useSession } from '../../../web/session.ts';
import { Card } from '../../../web/ui/card.tsx';
import { AreaField, Field, FieldErrorsOf } from '../../../web/ui/field.tsx';
import type { FormValues } from '../../../web/ui/form.tsx';
import { CheckIcon } from '../../../web/ui/icons.tsx';
import '../../../web/ui/segmented.css';
import { t } from '../../../web/words.ts';

type Texts = Announcement['texts'];
type Parts = readonly ('subject' | 'text')[];

const parts = ['subject', 'text'] as const;

const placeholders = {
  name: '{{name}}',
  code: '{{coupon_code}}',
  link: '{{referral_url}}',
};

/** Subject and text, one language at a time: the store's first, the others when they are wanted. */
export function TextsFields({ texts, path = 'texts' }: { texts: Texts; path?: string }) {
  const { program } = useSession();
  const errors = useContext(FieldErrorsOf);
  const box = useRef<HTMLDivElement>(null);
  const [ordered] = useState(() => inOrder(texts, program.language));
  const [current, setCurrent] = useState<Language>(ordered[0] ?? 'en');
  const [written, setWritten] = useState(() => partsIn((one, part) => texts[one]?.[part] ?? ''));
  const isRefused = (one: Language) =>
    parts.some((part) => errors[`${path}.${one}.${part}`] !== undefined);
  const refused = ordered.find(isRefused);
  // What was refused is shown, whatever language was open.
  useLayoutEffect(() => {
    if (refused !== undefined && !isRefused(current)) setCurrent(refused);
  }, [errors]);
  useLayoutEffect(() => {
    if (refused === current) {
      box.current!.querySelector<HTMLElement>('div:not([hidden]) > [aria-invalid]')?.focus();
    }
  }, [current]);
  const look = () =>
    setWritten(
      partsIn((one, part) => {
        const name = `${path}.${one}.${part}`;
        return box.current!.querySelector<HTMLInputElement>(`[name="${name}"]`)!.value;
      }),
    );
  const countIn = (one: Language) => written.get(one)?.length ?? 0;
  const isNeeded = (one: Language) => {
    const isOnly = languages.every((other) => other === one || countIn(other) === 0);
    return countIn(one) === 1 || (isOnly && (one === ordered[0] || countIn(one) > 0));
  };
  return (
    <div ref={box} class="texts" onInput={look}>
      <div class="segmented" role="group" aria-label={t('console-announcements.language')}>
        {ordered.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === current}
            onClick={() => setCurrent(one)}
          >
            {ownNames[one]}
            {countIn(one) > 0 && (
              <>
                <CheckIcon aria-hidden />
                <span class="visually-hidden"> {t('console-announcements.isWritten')}</span>
              </>
            )}
          </button>
        ))}
      </div>
      {ordered.map((one) => (
        <div key={one} class="texts" hidden={one !== current}>
          <TextFields language={one} texts={texts} path={path} isRequired={isNeeded(one)} />
        </div>
      ))}
    </div>
  );
}

/** First the written languages, then the store's. */
function inOrder(texts: Texts, own: Language): Language[] {
  const rank = (one: Language) => (texts[one] ? 0 : 2) + (one === own ? 0 : 1);
  return languages.toSorted((a, b) => rank(a) - rank(b));
}

/** Which parts of the text are written in each language. */
function partsIn(
  valueOf: (one: Language, part: Parts[number]) => string,
): ReadonlyMap<Language, Parts> {
  const writtenIn = (one: Language) => parts.filter((part) => valueOf(one, part).trim() !== '');
  return new Map(languages.map((one) => [one, writtenIn(one)]));
}

interface TextFieldsProps {
  language: Language;
  texts: Texts;
  /** Where the service finds them in what is sent, for its errors. */
  path: string;
  isRequired: boolean;
}

function TextFields({ language, texts, path, isRequired }: TextFieldsProps) {
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
        rows={10}
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

/** The texts of an announcement as they were written, folded below how they are read. */
export function WrittenTexts({ texts }: { texts: Texts }) {
  return (
    <details class="written-texts">
      <summary>{t('console-announcements.written')}</summary>
      {languages.map((language) => {
        const text = texts[language];
        return (
          text && (
            <Card key={language} title={ownNames[language]}>
              <p class="announcement-subject" lang={language}>
                {text.subject}
              </p>
              <p class="announcement-text" lang={language}>
                {text.text}
              </p>
            </Card>
          )
        );
      })}
    </details>
  );
}
