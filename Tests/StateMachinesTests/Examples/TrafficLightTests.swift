import StateMachines
import Testing

struct TrafficLightTests {
    private let row: [any TrafficLightState] = [SolidLight.green, SolidLight.yellow, SolidLight.red]

    private func seconds(_ count: Int64) -> MachineTimestamp { MachineTimestamp(milliseconds: count * 1000) }

    @Test func `the first state is lit at the start`() {
        let light = TrafficLight(row, at: seconds(0))
        #expect(light.current.name == "green")
        #expect(light.lit == [2])
        #expect(light.configuration.dueAt == seconds(10))
    }

    @Test func `each state is followed by the next after its delay`() {
        var light = TrafficLight(row, at: seconds(0))
        #expect(light.advance(to: MachineTimestamp(milliseconds: 9999)).isEmpty)
        #expect(light.advance(to: seconds(10)) == ["yellow"])
        #expect(light.lit == [1])
        #expect(light.advance(to: seconds(13)) == ["red"])
        #expect(light.advance(to: seconds(23)) == ["green"])
        #expect(light.lit == [2])
    }

    @Test func `a late call of advance gives the same state as frequent calls`() {
        var light = TrafficLight(row, at: seconds(0))
        #expect(light.advance(to: seconds(24)) == ["yellow", "red", "green"])
        #expect(light.configuration.dueAt == seconds(33))
    }

    @Test func `the context accepts new types of states`() {
        struct BlinkingLight: TrafficLightState {
            let name = "blinking"
            let delay = Duration.seconds(1)
            func apply(to lamps: inout some Lamps) {
                for lamp in 0...2 { lamps.switchOn(lamp: lamp) }
            }
        }
        var light = TrafficLight([SolidLight.red, BlinkingLight()], at: seconds(0))
        #expect(light.advance(to: seconds(10)) == ["blinking"])
        #expect(light.lit == [0, 1, 2])
        #expect(light.machine.table.findings.isEmpty)
    }
}
