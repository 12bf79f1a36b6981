import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ChartProps } from './chart.tsx';
import { Skeleton } from './skeleton.tsx';

const loaded = signal<FunctionComponent<ChartProps> | undefined>(undefined);

function load(): void {
  import('./chart.tsx')
    .then((module) => (loaded.value = module.Chart))
    // The figures are above the chart and in the table: without its code its place stays empty.
    .catch(() => {});
}

/** The chart, whose code is loaded when it comes into view. Its place has the same height before. */
export function LazyChart(props: ChartProps) {
  const Chart = loaded.value;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      load();
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  if (Chart) return <Chart {...props} />;
  return (
    <div class="lazy-chart" ref={place}>
      <Skeleton height="15.5rem" />
    </div>
  );
}
