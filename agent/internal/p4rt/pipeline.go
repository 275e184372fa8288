// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/protobuf/proto"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/durable"
)

// pipeline holds the forwarding-pipeline config that a controller committed. The data plane of a node is not
// programmable: a config passes if its P4Info agrees with the one this agent was built with in all that both have. So
// committing never touches an entry, and a restarted controller finds the entries that it had written. Where one of the
// two has more than the other, the node returns the P4Info that it serves: its own.
//
// The committed config is kept in the state directory; it survives the agent, as the entries do.
type pipeline struct {
	built *p4config.P4Info
	file  string // "" keeps nothing over a restart

	mu               sync.Mutex
	committed, saved *p4.ForwardingPipelineConfig
}

const pipelineFile = "pipeline.pb"

// Forget removes a server's files from a state directory; none may run on it.
func Forget(stateDir string) error {
	var errs []error
	for _, name := range []string{pipelineFile, cookiesFile} {
		if err := os.Remove(filepath.Join(stateDir, name)); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// openPipeline reads back the committed config. One that this agent can no longer serve, because
// it was built with another P4Info since, counts as none; why says so.
func openPipeline(built *p4config.P4Info, stateDir string) (p *pipeline, why string, err error) {
	p = &pipeline{built: built}
	if stateDir == "" {
		return p, "", nil
	}
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return nil, "", fmt.Errorf("make the state directory: %w", err)
	}
	p.file = filepath.Join(stateDir, pipelineFile)
	raw, err := os.ReadFile(p.file)
	if errors.Is(err, fs.ErrNotExist) {
		return p, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("read the committed pipeline config: %w", err)
	}
	config := new(p4.ForwardingPipelineConfig)
	if err := proto.Unmarshal(raw, config); err != nil {
		return p, fmt.Sprintf("%s is damaged: %v", p.file, err), nil
	}
	if err := p.verify(config); err != nil {
		return p, err.Error(), nil //nolint:nilerr // it counts as none, and why says so
	}
	p.committed = config
	return p, "", nil
}

// ready says whether entries may be read and written.
func (p *pipeline) ready() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.committed != nil
}

// current is the committed config, or nil. It must not be changed.
func (p *pipeline) current() *p4.ForwardingPipelineConfig {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.committed
}

// told is the P4Info from which a controller learns the node's features.
func (p *pipeline) told(committed *p4config.P4Info) *p4config.P4Info {
	if differences(committed, p.built) {
		return p.built
	}
	return committed
}

func (p *pipeline) verify(config *p4.ForwardingPipelineConfig) error {
	if config == nil || config.GetP4Info() == nil {
		return invalid("config.p4info is missing")
	}
	if d := disagreement(config.GetP4Info(), p.built); d != "" {
		return &contract.Error{
			Code:    contract.InvalidArgument,
			Message: fmt.Sprintf("the P4Info is not the one this agent was built with: %s", d),
			Remedy:  "use the P4Info of the same release as the agent",
		}
	}
	return nil
}

// set carries out one action of SetForwardingPipelineConfig.
func (p *pipeline) set(action p4.SetForwardingPipelineConfigRequest_Action, config *p4.ForwardingPipelineConfig) error {
	switch action {
	case p4.SetForwardingPipelineConfigRequest_VERIFY:
		return p.verify(config)
	case p4.SetForwardingPipelineConfigRequest_VERIFY_AND_SAVE:
		if err := p.verify(config); err != nil {
			return err
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.saved = config
		return nil
	case p4.SetForwardingPipelineConfigRequest_VERIFY_AND_COMMIT, p4.SetForwardingPipelineConfigRequest_RECONCILE_AND_COMMIT:
		if err := p.verify(config); err != nil {
			return err
		}
		return p.commit(config)
	case p4.SetForwardingPipelineConfigRequest_COMMIT:
		return p.commitSaved(config)
	default:
		return invalid("action is %v; use VERIFY, VERIFY_AND_SAVE, VERIFY_AND_COMMIT, COMMIT or RECONCILE_AND_COMMIT", action)
	}
}

func (p *pipeline) commitSaved(config *p4.ForwardingPipelineConfig) error {
	if config != nil {
		return invalid("COMMIT takes no config, it commits the saved one")
	}
	p.mu.Lock()
	saved := p.saved
	p.mu.Unlock()
	if saved == nil {
		return contract.Errorf(contract.NotFound, "no config is saved; send VERIFY_AND_SAVE first")
	}
	return p.commit(saved)
}

// commit makes the config durable before it counts.
func (p *pipeline) commit(config *p4.ForwardingPipelineConfig) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file != "" {
		raw, err := proto.Marshal(config)
		if err != nil {
			return fmt.Errorf("encode the pipeline config: %w", err)
		}
		if err := durable.Replace(durable.OS{}, p.file, func(w io.Writer) error { _, err := w.Write(raw); return err }); err != nil {
			return fmt.Errorf("keep the pipeline config: %w", err)
		}
	}
	p.committed, p.saved = config, nil
	return nil
}
