import { Seal } from '@portal/ui/seal'
import { LandingWidget } from '@portal/verify-flow/landing-widget'
import { useArrivalFocus } from '../../parts/page-head.ts'
import { useInstitution } from '../../parts/settings.ts'
import { Guilloche } from './guilloche.tsx'
import styles from './hero.module.css'

/** The top of the landing page, with the verification form. `isDialogOpen` is true while an account dialog is open. */
export function Hero({
  onNeedLogin,
  isDialogOpen,
}: {
  onNeedLogin: (number: string) => void
  isDialogOpen: boolean
}) {
  const name = useInstitution()?.name ?? ''
  const heading = useArrivalFocus<HTMLHeadingElement>()
  return (
    <section id="home" className={styles.hero} aria-labelledby="hero-title">
      <div className={styles.inner}>
        <div className={styles.words}>
          <h1 id="hero-title" ref={heading} tabIndex={-1} className={styles.title}>
            Is this degree certificate on the register?
          </h1>
          <p className={styles.lead}>
            Enter the number printed on it. Get an instant answer from the university’s register, with an
            official letter addressed to you.
          </p>
          <div className={styles.seal} aria-hidden="true">
            <Seal label="Seal" text={name} draw={false} />
          </div>
        </div>
        <div className={styles.desk}>
          <Guilloche className={styles.guilloche} />
          <div className={styles.sheet}>
            <LandingWidget onNeedLogin={onNeedLogin} isDialogOpen={isDialogOpen} />
          </div>
        </div>
      </div>
    </section>
  )
}
