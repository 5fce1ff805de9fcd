import { cache } from '@portal/api/cache'
import { QueryClientProvider } from '@tanstack/react-query'
import { VerifyWidget, type VerifyWidgetProps } from './verify-widget.tsx'

/** The verification widget with a query cache of its own, for pages without one. */
export default function CachedWidget(props: VerifyWidgetProps) {
  return (
    <QueryClientProvider client={cache}>
      <VerifyWidget {...props} />
    </QueryClientProvider>
  )
}
