// The members of objects of Kubernetes that the contract reads. Whether they are right is checked elsewhere, by the full types.

/** An object of Kubernetes. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

/** Labels by name. */
export type Labels = Readonly<Record<string, string>>;
/** Which objects are meant. */
export interface Selector {
  readonly matchLabels?: Labels;
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly envFrom?: readonly object[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly resources: object;
  readonly securityContext: object;
}
interface Deployment extends KubernetesObject {
  readonly spec: {
    readonly replicas?: number;
    readonly strategy: object;
    readonly selector: Selector;
    readonly template: {
      readonly metadata: { readonly labels: Labels };
      readonly spec: {
        readonly containers: readonly Container[];
        readonly serviceAccountName: string;
        readonly automountServiceAccountToken: boolean;
        readonly securityContext: object;
        readonly terminationGracePeriodSeconds: number;
        readonly topologySpreadConstraints: readonly {
          readonly topologyKey: string;
          readonly labelSelector: Selector;
        }[];
        readonly volumes: readonly {
          readonly name: string;
          readonly configMap?: { readonly name: string };
          readonly secret?: { readonly secretName: string };
        }[];
      };
    };
  };
}
interface Job extends KubernetesObject {
  readonly spec: {
    readonly backoffLimit: number;
    readonly template: {
      readonly metadata: { readonly labels: Labels };
      readonly spec: Pick<
        Deployment["spec"]["template"]["spec"],
        "serviceAccountName" | "automountServiceAccountToken" | "securityContext" | "volumes"
      > & {
        readonly restartPolicy: string;
        readonly containers: readonly Pick<Container, "image" | "args" | "securityContext" | "volumeMounts">[];
      };
    };
  };
}
interface Service extends KubernetesObject {
  readonly spec: {
    readonly selector: Labels;
    readonly type?: string;
    readonly ports: readonly { readonly name: string; readonly targetPort: string }[];
  };
}
interface Autoscaler extends KubernetesObject {
  readonly spec: { readonly minReplicas: number; readonly maxReplicas: number } & Readonly<Record<string, unknown>>;
}
interface DisruptionBudget extends KubernetesObject {
  readonly spec: {
    readonly minAvailable: number | string;
    readonly selector: Selector;
    readonly unhealthyPodEvictionPolicy: string;
  };
}
interface PolicyRule {
  readonly from?: readonly object[];
  readonly to?: readonly { readonly ipBlock?: { readonly cidr: string } }[];
  readonly ports?: readonly { readonly port: string | number }[];
}
interface NetworkPolicy extends KubernetesObject {
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly PolicyRule[];
    readonly egress?: readonly PolicyRule[];
  };
}
/** An Ingress. */
export interface Ingress extends KubernetesObject {
  readonly spec: {
    readonly tls: readonly { readonly hosts: readonly string[]; readonly secretName: string }[];
    readonly rules: readonly {
      readonly host: string;
      readonly http: {
        readonly paths: readonly {
          readonly path: string;
          readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } };
        }[];
      };
    }[];
  };
}
interface PodMonitor extends KubernetesObject {
  readonly spec: {
    readonly selector: Selector;
    readonly podMetricsEndpoints: readonly { readonly port: string; readonly path: string }[];
  };
}
interface PrometheusRule extends KubernetesObject {
  readonly spec: {
    readonly groups: readonly {
      readonly rules: readonly { readonly record?: string; readonly expr: string; readonly labels?: Labels }[];
    }[];
  };
}
/** The kinds of the manifests, with the members that the contract reads. */
export interface Kinds {
  readonly ConfigMap: KubernetesObject & { readonly data: Readonly<Record<string, string>> };
  readonly Deployment: Deployment;
  readonly HorizontalPodAutoscaler: Autoscaler;
  readonly Ingress: Ingress;
  readonly Job: Job;
  readonly Namespace: KubernetesObject;
  readonly NetworkPolicy: NetworkPolicy;
  readonly PodDisruptionBudget: DisruptionBudget;
  readonly PodMonitor: PodMonitor;
  readonly PrometheusRule: PrometheusRule;
  readonly Secret: KubernetesObject;
  readonly Service: Service;
  readonly ServiceAccount: KubernetesObject & { readonly automountServiceAccountToken: boolean };
}
