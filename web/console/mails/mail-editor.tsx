import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import {
  TributaryError,
  type CallOptions,
  type MailPreview,
  type MailText,
} from '../../../sdk/src/index.ts';
import { act, GivenUp } from '../../act.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { sentenceOf } from '../../error-words.ts';
import { formatDate } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { AreaField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StatusLine } from '../../ui/status-line.tsx';
import { hasWord, t } from '../../words.ts';
import { ConflictDialog, isOvertaken } from './conflict-dialog.tsx';
import { Version } from './version.tsx';
import {
  draftOf,
  dropDraft,
  loadText,
  setDraft,
  storeText,
  type TextVersion,
  type Words,
} from './mail-drafts.ts';
import { MailFrame } from './mail-frame.tsx';
import './mail-editor.css';

interface MailEditorProps {
  /** What is stored, as far as the screen knows. */
  stored: TextVersion;
  resetHref: string;
}

/** The fields show the draft, or what is stored while there is none. Others may save the same text at the same time. */
export function MailEditor({ stored, resetHref }: MailEditorProps) {
  const { mail } = stored;
  const { language } = mail;
  const editor = useRef<HTMLDivElement>(null);
  const draft = draftOf(mail);
  const words: Words = draft?.words ?? mail;
  const [initial] = useState(words);
  const preview = usePreview(mail, words);
  const [overtakenBy, setOvertakenBy] = useState<TextVersion>();
  const [isSaved, setSaved] = useState(false);
  const fieldOf = (field: keyof Words) =>
    editor.current!.querySelector<HTMLInputElement>(`[name="${field}"]`)!;
  const read = (): Words => ({ subject: fieldOf('subject').value, text: fieldOf('text').value });
  const show = (shown: Words) => {
    for (const field of ['subject', 'text'] as const) fieldOf(field).value = shown[field];
  };
  const keep = () => setDraft(draftOf(mail)?.base ?? stored, read());
  const insert = (placeholder: string) => {
    const area = editor.current!.querySelector('textarea')!;
    area.setRangeText(`{{${placeholder}}}`, area.selectionStart, area.selectionEnd, 'end');
    area.focus();
    keep();
  };
  useLayoutEffect(() => {
    if (!draftOf(mail)) show(mail);
  }, [stored.tag]);

  const save = async (base: TextVersion, sent: Words, options: CallOptions) => {
    try {
      const saved = await storeText(base, sent, options);
      await refresh('mails');
      // What was typed while it was saved goes on from what is stored now.
      setDraft(saved, draftOf(mail)?.words ?? sent);
      setSaved(true);
      setOvertakenBy(undefined);
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      setSaved(false);
      setOvertakenBy(await loadText(mail));
      await refresh('mails');
    }
  };

  return (
    <div class="mail-editor">
      <Card title={t('console-mails.text')}>
        <p class="muted">
          {mail.changed
            ? t('console-mails.changed', {
                name: mail.changed.user.display_name,
                date: formatDate(mail.changed.date, 'exact'),
              })
            : t('console-mails.isBuiltIn')}
        </p>
        {mail.ignored && (
          <Notice kind="warn">
            <p>{t('console-mails.ignored', { reason: mail.ignored.reason })}</p>
            <Version
              title={t('console-mails.ignoredText')}
              words={mail.ignored}
              language={language}
            />
          </Notice>
        )}
        <div ref={editor} onInput={keep}>
          <Form
            action={t('console-mails.save')}
            {...(isSaved && { done: t('console-mails.saved') })}
            showsReasons
            submit={(_values, options) => save(draft?.base ?? stored, read(), options)}
            beside={
              <>
                <TestButton mail={mail} words={words} />
                {mail.is_own && (
                  <Link class="button" data-kind="quiet" href={resetHref}>
                    {t('console-mails.reset')}
                  </Link>
                )}
              </>
            }
          >
            <Field
              name="subject"
              label={t('console-mails.subject')}
              defaultValue={initial.subject}
              required
              maxLength={200}
              lang={language}
              error={preview.errors['subject']}
            />
            <AreaField
              name="text"
              label={t('console-mails.body')}
              hint={t('console-mails.bodyHint')}
              value={initial.text}
              required
              rows={16}
              maxLength={10_000}
              lang={language}
              error={preview.errors['text']}
            />
          </Form>
        </div>
        <Placeholders mail={mail} onInsert={insert} />
      </Card>
      <Card title={t('console-mails.preview')}>
        <p class="muted">{t('console-mails.previewText')}</p>
        {preview.shown && (
          <>
            <p class="mail-subject" lang={language}>
              {preview.shown.subject}
            </p>
            <MailFrame html={preview.shown.html} title={t('console-mails.preview')} />
          </>
        )}
      </Card>
      {overtakenBy && (
        <ConflictDialog
          stored={overtakenBy}
          own={words}
          onSave={(options) => save(overtakenBy, words, options)}
          onKeepStored={() => {
            dropDraft(mail);
            show(overtakenBy.mail);
            setOvertakenBy(undefined);
          }}
          onClose={() => setOvertakenBy(undefined)}
        />
      )}
    </div>
  );
}

function TestButton({ mail, words }: { mail: MailText; words: Words }) {
  const [state, setState] = useState<{ kind: 'good' | 'warn'; text: string }>();
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const toSend = { subject: words.subject, text: words.text };
    try {
      const { to } = await act((options) =>
        api.mails.test(mail.name, mail.language, toSend, options),
      );
      setState({ kind: 'good', text: t('console-mails.tested', { to }) });
    } catch (error) {
      if (!(error instanceof GivenUp)) setState({ kind: 'warn', text: sentenceOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button kind="quiet" type="button" busy={isBusy} onClick={() => void send()}>
        {t('console-mails.test')}
      </Button>
      <StatusLine kind={state?.kind ?? 'good'}>{state?.text}</StatusLine>
    </>
  );
}

function Placeholders({ mail, onInsert }: { mail: MailText; onInsert(name: string): void }) {
  return (
    <div class="stack">
      <h3>{t('console-mails.placeholders')}</h3>
      <ul class="mail-placeholders">
        {mail.placeholders.map(({ name, description, required }) => (
          <li key={name}>
            <button type="button" class="mail-placeholder" onClick={() => onInsert(name)}>
              {`{{${name}}}`}
            </button>
            <span class="muted">
              {required && <strong>{t('console-mails.required')} </strong>}
              {placeholderWords(name, description)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function placeholderWords(name: string, description: string): string {
  const key = `console-mails.placeholder-${name.replaceAll('.', '-')}`;
  return hasWord(key) ? t(key) : description;
}

const TYPING_MS = 350;

/** The preview of what is typed. While it cannot be shown, the last one stays, with the reasons. */
function usePreview({ name, language }: MailText, { subject, text }: Words) {
  const [shown, setShown] = useState<MailPreview>();
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    let isOver = false;
    const load = async () => {
      try {
        const preview = await api.mails.preview(name, language, { subject, text });
        if (isOver) return;
        setShown(preview);
        setErrors({});
      } catch (error) {
        if (!isOver && error instanceof TributaryError) setErrors(error.params);
      }
    };
    const timer = setTimeout(() => void load(), isFirst.current ? 0 : TYPING_MS);
    isFirst.current = false;
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [name, language, subject, text]);
  return { shown, errors };
}
