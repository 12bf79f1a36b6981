import { LinkButton } from '../ui/button.tsx';
import { FormattedText } from '../ui/formatted-text.tsx';
import { formatNumber, hasWord, t } from '../words.ts';
import { descriptionIn, formatMoney, formatPercent, joinWords, paragraphsOf } from './format.ts';
import type { PageProps, ProgramTerms } from '../../src/web-contract/page-props.ts';
import './program.css';

type Props = PageProps['program'];

export function programTitle({ headline }: Props): string {
  return headline || t('public.program.title');
}

/** The store's own text, else the terms in one sentence. */
export function programDescription({ text, terms }: Props): string {
  const own = descriptionIn(text);
  if (own) return own;
  const facts = factsOf(terms).map((fact) => `${fact.figure} ${fact.text}`);
  return `${t('public.program.text')} ${facts.join(' · ')}`;
}

export function ProgramPage(props: Props) {
  const { headline, text, picture, sections, terms, isOpen, storeUrl, hasReference } = props;
  return (
    <div class="program">
      <section class="program-hero">
        <h1>{headline || t('public.program.headline')}</h1>
        {paragraphsOf(text || t('public.program.text')).map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {!isOpen && <p class="program-closed">{t('public.program.closed')}</p>}
        <div class="program-actions">
          {isOpen && <LinkButton href="/apply">{t('public.program.apply')}</LinkButton>}
          <LinkButton kind="quiet" href="/app/login">
            {t('public.program.signIn')}
          </LinkButton>
        </div>
        {picture && (
          <img
            class="program-picture"
            src={picture.url}
            width={picture.width}
            height={picture.height}
            alt={picture.text}
          />
        )}
      </section>
      <Facts {...props} />
      {sections.trim() !== '' && <FormattedText text={sections} />}
      <Steps />
      <Questions terms={terms} />
      <p class="program-links">
        {storeUrl && (
          <a class="lone-link" href={storeUrl}>
            {t('public.program.visitStore')}
          </a>
        )}
        {hasReference && (
          <a class="lone-link" href="/docs">
            {t('public.program.developers')}
          </a>
        )}
      </p>
    </div>
  );
}

type FactsProps = Pick<Props, 'terms' | 'rules' | 'bonuses' | 'exclusions'>;

interface Fact {
  readonly figure: string;
  readonly text: string;
}

function Facts({ terms, rules, bonuses, exclusions }: FactsProps) {
  const names = terms.payouts?.methods.map(({ type, label }) => methodName(type, label)) ?? [];
  return (
    <section aria-labelledby="terms">
      <h2 id="terms">{t('public.program.terms')}</h2>
      <ul class="program-facts">
        {factsOf(terms).map(({ figure, text }) => (
          <li key={text}>
            <strong class="figures">{figure}</strong>
            <span>{text}</span>
          </li>
        ))}
      </ul>
      {rules.length > 0 && (
        <>
          <p class="program-methods">{t('public.program.rules')}</p>
          <ol class="program-rules">
            {rules.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ol>
        </>
      )}
      {bonuses.length > 0 && (
        <>
          <p class="program-methods">{t('public.program.bonuses')}</p>
          <ul class="program-rules">
            {bonuses.map((bonus) => (
              <li key={bonus}>{bonus}</li>
            ))}
          </ul>
        </>
      )}
      {exclusions.length > 0 && (
        <>
          <p class="program-methods">{t('public.program.exclusions')}</p>
          <ul class="program-rules">
            {exclusions.map((exclusion) => (
              <li key={exclusion}>{exclusion}</li>
            ))}
          </ul>
        </>
      )}
      {names.length > 0 && (
        <p class="program-methods">{t('public.program.methods', { methods: joinWords(names) })}</p>
      )}
    </section>
  );
}

function factsOf(terms: ProgramTerms): Fact[] {
  const { currency, percent, fixedPerOrder, fixedPerProduct, maxPerOrder, payouts } = terms;
  const facts: Fact[] = [];
  if (percent > 0) {
    facts.push({ figure: formatPercent(percent), text: t('public.program.percent') });
  }
  if (fixedPerOrder > 0) {
    const figure = formatMoney(fixedPerOrder, currency);
    facts.push({ figure, text: t('public.program.perOrder') });
  }
  if (fixedPerProduct > 0) {
    const figure = formatMoney(fixedPerProduct, currency);
    facts.push({ figure, text: t('public.program.perProduct') });
  }
  if (maxPerOrder > 0) {
    const figure = formatMoney(maxPerOrder, currency);
    facts.push({ figure, text: t('public.program.atMost') });
  }
  facts.push({
    figure: daysOf(terms.cookieDays),
    text: t(terms.isForLife ? 'public.program.cookieForLife' : 'public.program.cookie'),
  });
  if (terms.holdDays > 0) {
    facts.push({ figure: daysOf(terms.holdDays), text: t('public.program.hold') });
  }
  if (payouts && payouts.minimum > 0) {
    const figure = formatMoney(payouts.minimum, currency);
    facts.push({ figure, text: t('public.program.minimum') });
  }
  return facts;
}

function daysOf(count: number): string {
  return t('public.program.days', { count });
}

/** Methods of extensions have no words of ours. */
function methodName(type: string, label: string): string {
  const key = `public.method.${type}`;
  return hasWord(key) ? t(key) : label;
}

function Steps() {
  const steps = [
    [t('public.program.step1'), t('public.program.step1Text')],
    [t('public.program.step2'), t('public.program.step2Text')],
    [t('public.program.step3'), t('public.program.step3Text')],
  ] as const;
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">{t('public.program.howItWorks')}</h2>
      <ol class="program-steps">
        {steps.map(([title, text], i) => (
          <li key={title}>
            <span class="program-number" aria-hidden="true">
              {formatNumber(i + 1)}
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Questions({ terms }: { terms: ProgramTerms }) {
  const holdDays = daysOf(terms.holdDays);
  const questions = [
    [t('public.faq.count'), t('public.faq.countText', { days: daysOf(terms.cookieDays) })],
    [
      t('public.faq.money'),
      terms.holdDays > 0 ? t('public.faq.moneyText', { days: holdDays }) : t('public.faq.moneyNow'),
    ],
    [t('public.faq.return'), t('public.faq.returnText')],
    [t('public.faq.cost'), t('public.faq.costText')],
  ] as const;
  return (
    <section aria-labelledby="questions">
      <h2 id="questions">{t('public.faq.title')}</h2>
      {questions.map(([question, answer]) => (
        <details key={question} class="program-question">
          <summary>{question}</summary>
          <p>{answer}</p>
        </details>
      ))}
    </section>
  );
}
