import { parser } from '@prometheus-io/lezer-promql';

/** A selector of an expression: which metric, and which labels it names. */
export interface Selector {
  metric: string;
  /** Labels with the value they must have; undefined where a pattern decides. */
  labels: Map<string, string | undefined>;
}

/** Grafana puts a duration there that fits the scrape interval. */
const withoutVariables = (expression: string) => expression.replaceAll('$__rate_interval', '5m');

/** Where an expression is no PromQL: the text before each error. */
export function errorsIn(expression: string): string[] {
  const text = withoutVariables(expression);
  const errors: string[] = [];
  parser.parse(text).iterate({
    enter(node) {
      if (node.type.isError) errors.push(text.slice(0, node.to));
    },
  });
  return errors;
}

/** Every metric that an expression reads. */
export function selectorsIn(expression: string): Selector[] {
  const text = withoutVariables(expression);
  const selectors: Selector[] = [];
  let label = '';
  let isExact = false;
  parser.parse(text).iterate({
    enter({ name, from, to }) {
      const word = text.slice(from, to);
      if (name === 'VectorSelector') selectors.push({ metric: '', labels: new Map() });
      if (name === 'Identifier') selectors.at(-1)!.metric = word;
      if (name === 'UnquotedLabelMatcher') [label, isExact] = ['', false];
      if (name === 'LabelName') label = word;
      if (name === 'EqlSingle') isExact = true;
      if (name === 'StringLiteral' && label !== '') {
        selectors.at(-1)!.labels.set(label, isExact ? word.slice(1, -1) : undefined);
        label = '';
      }
    },
  });
  return selectors;
}

/** The labels by which an expression groups. */
export function groupedBy(expression: string): string[] {
  const found = expression.matchAll(/\bby \(([^)]*)\)/g);
  return [...found].flatMap(([, labels]) => labels!.split(',').map((label) => label.trim()));
}
