import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import type { ChartProps } from './chart.tsx';
import { Skeleton } from './skeleton.tsx';

const loaded = signal<FunctionComponent<ChartProps> | undefined>(undefined);
const hasFailed = signal(false);

/** The chart, whose code is loaded after the screen. Its place has the same height from the beginning. */
export function LazyChart(props: ChartProps) {
  const Chart = loaded.value;
  if (Chart) return <Chart {...props} />;
  if (!hasFailed.value) {
    import('./chart.tsx')
      .then((module) => (loaded.value = module.Chart))
      .catch(() => (hasFailed.value = true));
  }
  return <Skeleton height="15.5rem" />;
}
