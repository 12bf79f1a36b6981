import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { TributaryError, type MailPreview, type MailText } from '../../../sdk/src/index.ts';
import { act, GivenUp } from '../../act.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { sentenceOf } from '../../error-words.ts';
import { formatDate } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { AreaField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { StatusLine } from '../../ui/status-line.tsx';
import { t } from '../../words.ts';
import { MailFrame } from './mail-frame.tsx';
import './mail-editor.css';

const TYPING_MS = 350;

interface MailEditorProps {
  mail: MailText;
  resetHref: string;
}

type Draft = Pick<MailText, 'subject' | 'text'>;

export function MailEditor({ mail, resetHref }: MailEditorProps) {
  const { name, language } = mail;
  const editor = useRef<HTMLDivElement>(null);
  const [draft, setDraft] = useState<Draft>({ subject: mail.subject, text: mail.text });
  const preview = usePreview(mail, draft);
  const read = () => {
    const valueOf = (field: string) =>
      editor.current!.querySelector<HTMLInputElement>(`[name="${field}"]`)!.value;
    setDraft({ subject: valueOf('subject'), text: valueOf('text') });
  };
  const insert = (placeholder: string) => {
    const area = editor.current!.querySelector('textarea')!;
    area.setRangeText(`{{${placeholder}}}`, area.selectionStart, area.selectionEnd, 'end');
    area.focus();
    read();
  };
  return (
    <div class="mail-editor">
      <Card labelledBy="mail-text-title">
        <h2 id="mail-text-title">{t('console-mails.text')}</h2>
        <p class="muted">
          {mail.changed
            ? t('console-mails.changed', {
                name: mail.changed.user.display_name,
                date: formatDate(mail.changed.date, 'exact'),
              })
            : t('console-mails.isBuiltIn')}
        </p>
        <div ref={editor} onInput={read}>
          <Form
            action={t('console-mails.save')}
            done={t('console-mails.saved')}
            showsReasons
            submit={async ({ subject = '', text = '' }, options) => {
              await api.mails.set(name, language, { subject, text }, options);
              await refresh('mails');
            }}
            beside={
              <>
                <TestButton mail={mail} draft={draft} />
                {mail.is_own && (
                  <Link class="button" data-kind="quiet" href={resetHref}>
                    {t('console-mails.reset')}
                  </Link>
                )}
              </>
            }
          >
            {(faults) => (
              <>
                <Field
                  name="subject"
                  label={t('console-mails.subject')}
                  defaultValue={mail.subject}
                  required
                  maxLength={200}
                  lang={language}
                  fault={faults['subject'] ?? preview.faults['subject']}
                />
                <AreaField
                  name="text"
                  label={t('console-mails.body')}
                  hint={t('console-mails.bodyHint')}
                  value={mail.text}
                  required
                  rows={16}
                  maxLength={10_000}
                  lang={language}
                  fault={faults['text'] ?? preview.faults['text']}
                />
              </>
            )}
          </Form>
        </div>
        <Placeholders mail={mail} onInsert={insert} />
      </Card>
      <Card labelledBy="mail-preview-title">
        <h2 id="mail-preview-title">{t('console-mails.preview')}</h2>
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
    </div>
  );
}

/** The preview of what is typed. While it cannot be shown, the last one stays, with the reasons. */
function usePreview({ name, language }: MailText, { subject, text }: Draft) {
  const [shown, setShown] = useState<MailPreview>();
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const isFirst = useRef(true);
  useEffect(() => {
    let isOver = false;
    const load = async () => {
      try {
        const preview = await api.mails.preview(name, language, { subject, text });
        if (isOver) return;
        setShown(preview);
        setFaults({});
      } catch (error) {
        if (!isOver && error instanceof TributaryError) setFaults(error.params);
      }
    };
    const timer = setTimeout(() => void load(), isFirst.current ? 0 : TYPING_MS);
    isFirst.current = false;
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [name, language, subject, text]);
  return { shown, faults };
}

function TestButton({ mail, draft }: { mail: MailText; draft: Draft }) {
  const [state, setState] = useState<{ kind: 'good' | 'warn'; text: string }>();
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      const { to } = await act((options) =>
        api.mails.test(mail.name, mail.language, draft, options),
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
              {description}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
